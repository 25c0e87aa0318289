/** Where the fonts are that the signing page uses in place of fonts that are not embedded. */
import { fileURLToPath } from 'node:url'

/** Ends with a separator. Its files are public: the sandbox may read them, and nothing else. */
export const FONT_FOLDER = fileURLToPath(
  new URL('../../node_modules/pdfjs-dist/standard_fonts/', import.meta.url),
)
