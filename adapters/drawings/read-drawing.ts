/** Reads the drawings that clients send, with the PDF library's own readers. */
export { readDrawing } from '../../pades/index.ts'
