/** A signature from a picture of one. */
import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { ChooseFile } from '../design/choose-file.tsx'
import { Fault } from '../design/parts.tsx'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Taker } from './draw-pad.tsx'
import { MAXIMUM_UPLOAD_BYTES, drawPicture, UPLOAD_TYPES } from './image.ts'

type FaultKey = 'uploadWrongType' | 'uploadTooLarge' | 'uploadBroken'

function faultOf({ type, size }: File): FaultKey | undefined {
  if (!UPLOAD_TYPES.some((known) => known === type)) return 'uploadWrongType'
  return size > MAXIMUM_UPLOAD_BYTES ? 'uploadTooLarge' : undefined
}

interface UploadPadProps {
  taker: RefObject<Taker>
  picture: string | undefined
  onPicture(picture: string | undefined): void
}

/** @param props `picture`: the one that was chosen, ready to be used */
export function UploadPad({ taker, picture, onPicture }: UploadPadProps) {
  const texts: Texts = useTexts()
  const [fault, setFault] = useState<FaultKey | undefined>(undefined)
  const choose = async (file: File | undefined) => {
    if (!file) return
    const found = faultOf(file)
    setFault(found)
    onPicture(undefined)
    if (found) return
    try {
      onPicture(await drawPicture(file))
    } catch {
      setFault('uploadBroken')
    }
  }
  taker.current = () =>
    picture === undefined ? { fault: texts[fault ?? 'uploadEmpty'] } : { drawing: picture }
  return (
    <div class="stack tight">
      <ChooseFile
        label={texts.uploadLabel}
        accept={UPLOAD_TYPES.join(',')}
        onFiles={(files) => void choose(files?.[0])}
      />
      <p class="quiet small">{texts.uploadHint}</p>
      {picture === undefined ? null : (
        <div class="pad preview">
          <img src={picture} alt={texts.uploadPreview} />
        </div>
      )}
      <Fault>{fault ? texts[fault] : null}</Fault>
    </div>
  )
}
