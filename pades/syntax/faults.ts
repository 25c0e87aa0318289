/**
 * Everything in which a file can depart from the grammar of PDF, and whether readers then differ
 * (ISO 32000-2, clause 7).
 */

/**
 * - `ambiguous`: two readers in use take it differently, or may. Nothing that holds it is trusted.
 * - `tolerated`: every reader takes it alike; `text` says why. It may occur in what was signed, but
 *   not in what a later revision adds, where the writer is not trusted.
 */
export type Gravity = 'ambiguous' | 'tolerated'

export interface FaultKind {
  readonly gravity: Gravity
  readonly text: string
}

const ambiguous = (text: string) => ({ gravity: 'ambiguous', text }) as const
const tolerated = (text: string) => ({ gravity: 'tolerated', text }) as const

/** The table of faults. Names are stable: reports and messages use them. */
export const FAULTS = {
  STRAY_TOKEN: ambiguous('a token is where no token is allowed'),
  UNCLOSED: ambiguous('an array, a dictionary or a string is not closed'),
  KEY_REPEATED: ambiguous('a dictionary has the same key twice'),
  KEY_REPEATED_ALIKE: tolerated('a dictionary has the same key twice with the same value'),
  KEY_REPEATED_UNSEEN: tolerated(
    'the catalog repeats a key that says how a reader arranges its window, not what a page shows',
  ),
  KEY_WITHOUT_VALUE: ambiguous('a dictionary has a key without a value'),
  NULL_ENTRY: tolerated(
    'a dictionary entry is null, which counts as absent (7.3.7) unless the entry can be inherited',
  ),
  NULL_INHERITABLE: ambiguous('an entry that can be inherited is null'),
  NAME_ESCAPE: ambiguous('a name holds # without two hexadecimal digits, or the byte 0'),
  NAME_ESCAPED_NEEDLESSLY: ambiguous('a name spells a plain character as an escape'),
  NAME_TOO_LONG: ambiguous('a name has more than 127 bytes (ISO 32000-1, annex C)'),
  NAME_NOT_ASCII: tolerated('a name holds bytes above 126; readers compare bytes'),
  NUMBER_ODD: ambiguous('a number is not written as 7.3.3 says'),
  NUMBER_TOO_LARGE: ambiguous('an integer is beyond 31 bits'),
  NUMBER_TOO_LONG: ambiguous('a number has more than 128 characters'),
  INTEGER_AS_REAL: ambiguous(
    'an angle, a count or a size is written with a decimal point, and some readers ignore it',
  ),
  NUMBER_LONG: tolerated('a real number has more digits than readers keep; they round alike'),
  STRING_ESCAPE_ODD: tolerated('a backslash precedes an ordinary character; readers drop it'),
  STRING_LINE_END: tolerated('a string holds a carriage return, which readers take for a line end'),
  STRING_OCTAL_TOO_LARGE: ambiguous('an octal escape is above 377'),
  HEX_STRING_ODD: ambiguous(
    'a hexadecimal string holds other characters than digits, or an odd number in contents',
  ),
  NESTED_TOO_DEEPLY: ambiguous('more than 50 arrays and dictionaries are nested'),
  COMMENT: tolerated('a comment is inside an object; readers skip it'),
  ODD_WHITE_SPACE: tolerated('NUL or form feed serves as white space; readers skip both'),
  HEADER_NOT_AT_OFFSET: ambiguous('no object header, or another one, is at the offset'),
  OFFSET_BEFORE_HEADER: tolerated('the offset of an object leads to white space before its header'),
  HEADER_IN_LINE: ambiguous(
    'the file has to be repaired, and an object header does not begin a line: some readers miss it',
  ),
  GENERATION_DIFFERS: ambiguous('header and cross-reference name different generations'),
  NO_ENDOBJ: ambiguous('something else than `endobj` follows the value'),
  ENDOBJ_GLUED: tolerated('`endobj` follows an integer without white space'),
  STREAM_KEYWORD_ODD: ambiguous('no end of line follows the keyword `stream`'),
  STREAM_KEYWORD_RETURN: tolerated(
    'a carriage return alone follows the keyword `stream`; readers begin behind it',
  ),
  LENGTH_WRONG_DEFLATED: tolerated(
    'Length is wrong, but deflated data end by themselves, directly before the first `endstream`',
  ),
  LENGTH_WRONG: ambiguous('`endstream` does not follow the data of the stream'),
  LENGTH_INEXACT: tolerated('white space that Length does not count precedes `endstream`'),
  STREAM_KEY_AMBIGUOUS: ambiguous(
    'a stream has F or DP, which are its file and nothing to some readers, its filter to others',
  ),
  FILTER_ODD: ambiguous(
    'a filter of a stream or one of its parameters is null, or the parameters are not in an array' +
      ' as the filters are: Ghostscript shows nothing of the stream; or there are too many of them',
  ),
  REFERENCE_ODD: ambiguous('a reference names no possible object'),
  REFERENCE_ALONE: ambiguous(
    'an object is nothing but a reference to another one, which some readers do not follow',
  ),
  REFERENCE_GENERATION: ambiguous('a reference names another generation than the object has'),
  REFERENCE_TO_FREED: ambiguous('a reference names an object that a later section frees'),
  OBJECT_STREAM_ODD: ambiguous('an object stream is not built as 7.5.7 says'),
  OBJECT_TWICE: ambiguous('one section, or a damaged file, has the same object twice'),
  SECTION_ODD: ambiguous('a cross-reference section is not built as 7.5.4 or 7.5.8 says'),
  SECTION_KINDS_MIXED: ambiguous('a cross-reference table follows a cross-reference stream'),
  SECTION_NUMBER_TAKEN: ambiguous(
    'a cross-reference stream has the number of another object, which some readers replace by it',
  ),
  SECTION_UNLISTED: tolerated('a cross-reference stream does not list itself; readers need it not'),
  OBJECT_ZERO: tolerated('object 0 is not free; readers repair the file or ignore the object'),
  ENTRY_TYPE_UNKNOWN: ambiguous('a row is neither of a free object nor of one in use'),
  ROWS_ODD: ambiguous('a row of a cross-reference table does not have 20 bytes'),
  HYBRID: tolerated(
    'a hybrid file hides objects from old readers (7.5.8.4): only such as the structure tree names',
  ),
  HYBRID_SHOWN: ambiguous('a hybrid file hides objects from some readers that a page may need'),
  SIZE_WRONG: ambiguous('Size is not above every object number, or is more than a file can have'),
  PREV_WRONG: ambiguous('Prev does not lead to an earlier section'),
  ROOT_WRONG: ambiguous('a trailer lacks the catalog, or names another one or another object'),
  END_ODD: ambiguous('a revision does not end with startxref, the offset and %%EOF'),
  NO_CROSS_REFERENCE: ambiguous(
    'the cross-reference is damaged, and readers repair it differently',
  ),
  LINEARIZED_LATER: ambiguous(
    'the file names a length that it may reach, and readers then begin with its first section',
  ),
  UNLISTED_BYTES: ambiguous('a revision holds bytes that its cross-reference does not name'),
  DECOY: ambiguous('a reader that repairs the file takes another object with the same number'),
  DECOY_IN_STREAM: ambiguous('a stream holds what a repairing reader takes for an object'),
  CONTENT_OPERATOR: ambiguous('a content stream has an operator that does not exist'),
  CONTENT_OPERANDS: ambiguous(
    'an operator of a content stream has too many or too few operands, or operands of another kind',
  ),
  CONTENT_ORDER: ambiguous(
    'an operator of a content stream is where it must not be: a path without a start or an end,' +
      ' a curve from a closed path, clipping without a path, a state that was not saved or is' +
      ' saved too often, a form or a restored state within a text, a path within one, glyphs' +
      ' outside of one, or the width or lines of a glyph',
  ),
  CONTENT_VALUE: ambiguous(
    'an operand of a content stream has a value that does not exist or that readers take' +
      ' differently: a colour, a pattern, a dash, a line, a text mode, a number beyond ten' +
      ' million or a string of more than 32,767 bytes',
  ),
  GLYPH_CUT: ambiguous('a glyph draws outside of its box, to which some readers clip it'),
  MASK_BESIDE: ambiguous(
    'a mask hides what lies beside its box, and pdf.js shows it, or it masks an inline image,' +
      ' which Ghostscript shows whole',
  ),
  RESOURCE_MISSING: ambiguous(
    'a content stream names a font, an image or a state that its resources lack',
  ),
  INLINE_IMAGE_ODD: ambiguous(
    'readers that count the data of an inline image find another end than those that search for' +
      ' EI, or some lose the last operator behind an inline JPEG image',
  ),
  CONTENT_PART_END: ambiguous(
    'a part of the contents ends with an operand, and `endstream` follows without white space' +
      ' or the compressed data have no proper end',
  ),
  CONTENT_FILTER: ambiguous('a content stream has a filter or a predictor that is not for text'),
  STREAM_DATA_DAMAGED: ambiguous(
    'the data of a content stream are damaged or cut off, and readers show another part of them',
  ),
  PAGE_TREE_ODD: ambiguous(
    'Kids, Count and Parent lead to different pages,' +
      ' or a page has an odd angle or an entry of another kind',
  ),
  PAGE_SIZE_ODD: ambiguous(
    'a page lacks its MediaBox, its CropBox is larger than that, its boxes have no common area,' +
      ' or a box or the unit is not as it must be',
  ),
  PLACE_ODD: ambiguous(
    'Rect, BBox or Matrix is not an array of four or six numbers up to ten million,' +
      ' or the flags of an annotation are negative',
  ),
  PALETTE_ODD: ambiguous('the palette of an inline image lacks colours or has another form'),
  COLOURS_ODD: ambiguous(
    'a colour space lacks colours, a profile or another part, or makes colours that do not exist' +
      ' or that readers without colour management show otherwise',
  ),
  FUNCTION_ODD: ambiguous('a function lacks a part or has another form'),
  IMAGE_ODD: ambiguous('an image has an entry that some readers replace or ignore'),
  IMAGE_DATA_ODD: ambiguous(
    'the data of an image are damaged, too short, or of another size than the image',
  ),
  FONT_ODD: ambiguous(
    'an embedded font is damaged or of another kind than its entry says, or a font is not' +
      ' embedded, lacks its name or its glyphs or has odd codes, and some readers show other' +
      ' letters in its place or find another glyph or width for a code that is shown',
  ),
  STATE_ODD: ambiguous(
    'a graphics state has an entry that some readers ignore: a transfer function, a font,' +
      ' an odd opacity, mask or line, a blend mode that differs on blank paper, or overprint' +
      ' of a light colour',
  ),
  PATTERN_ODD: ambiguous(
    'a pattern has no cells or odd ones, a shading has no area, an entry or a corner of it has' +
      ' another form, or a form, a mask or a glyph is painted with a pattern',
  ),
  XOBJECT_ODD: ambiguous(
    'an external object is neither an image nor a form, refers to content of another file, or' +
      ' blends in an unknown colour space',
  ),
  DRAWING_NESTED: ambiguous(
    'a form, a pattern or a glyph draws itself, is nested too deeply, and readers stop at' +
      ' different depths, or a pattern paints within another one or within a glyph',
  ),
  STATE_INHERITED: ambiguous(
    'a mask, a glyph or the cell of a pattern shows text, draws lines without a width and dashes' +
      ' of its own, or sets colours or does not, a form sets how it blends, or a part of a group' +
      ' removes others, and readers draw it differently',
  ),
  LAYER_HIDDEN: ambiguous(
    'a layer is off, can be on the screen or when printed, or is not made to be viewed, and' +
      ' readers evaluate layers differently',
  ),
  ACTION_AUTOMATIC: ambiguous(
    'an action starts when a page is shown, or when a signed document is opened, which can change' +
      ' what readers show',
  ),
  PAGE_GROUP_ODD: ambiguous(
    'the group of a page blends in another colour space than RGB or CMYK:' +
      ' some readers drop colours, others do so once the page has a signature',
  ),
  CIPHERTEXT_ODD: ambiguous(
    'a string or stream is not encrypted as the document says, and readers decrypt it differently',
  ),
  NOT_READABLE: ambiguous('an object cannot be read'),
} as const satisfies Record<string, FaultKind>

export type FaultCode = keyof typeof FAULTS

/** Where a file departs from the grammar. */
export interface Fault {
  readonly code: FaultCode
  /** Number of the indirect object; absent for the cross-reference and the file itself. */
  readonly object?: number
  /** Offset in the file, or in the data of an object stream. */
  readonly offset: number
}

/** Ends the scan of an object whose meaning is ambiguous. */
export class AmbiguousSyntax extends Error {
  readonly code: FaultCode
  readonly offset: number

  constructor(code: FaultCode, offset: number) {
    super(FAULTS[code].text)
    this.name = 'AmbiguousSyntax'
    this.code = code
    this.offset = offset
  }
}
