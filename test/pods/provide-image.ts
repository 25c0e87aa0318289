/** Gives the first node an image that only a test needs. */
import { readFileSync } from 'node:fs'
import { buildTestImage, type TestImage } from '../../dev/pods/images.ts'
import { FIRST_NODE, IMAGES } from '../../dev/pods/layout.ts'
import { importImages } from '../../dev/pods/node-parts.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'

/** Builds the image, once, and imports it. */
export async function provideImage(image: TestImage): Promise<void> {
  const programs = preparePrograms()
  const others = JSON.parse(readFileSync(IMAGES, 'utf8')) as [string, string][]
  const images = new Map([...others, [image, buildTestImage(programs, image)]])
  await importImages(programs, FIRST_NODE, images, () => undefined)
}
