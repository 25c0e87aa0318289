import t from 'tap'
import { Buffer } from 'node:buffer'
import { readDrawing } from '../../../pades/index.ts'
import { signaturePath, signaturePng } from '../../../cli/demo/drawing.ts'

t.test('both kinds of drawing are what the service reads', async (t) => {
  for (const name of ['Jana Nováková', 'Ľuboš Šťastný', 'X']) {
    t.equal(readDrawing(signaturePath(name)).mediaType, 'image/svg+xml')
    const png = Buffer.from(signaturePng(name)).toString('base64')
    t.equal(readDrawing(`data:image/png;base64,${png}`).mediaType, 'image/png')
  }
})
