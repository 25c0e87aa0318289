/** Bounds on everything that a hostile PDF could make endless; each is far beyond honest files. */

/** The header lies in the first 1,024 bytes, the end in the last (ISO 32000-2, 7.5.2 and 7.5.5). */
export const HEADER_WINDOW_BYTES = 1_024
export const TAIL_WINDOW_BYTES = 1_024

/** Arrays and dictionaries within each other. */
export const MAX_DEPTH = 100
/** Names have at most 127 bytes (ISO 32000-1, annex C); many producers write longer ones. */
export const MAX_NAME_BYTES = 4_096
/** Values parsed in one document, weighed by the memory they take; some 200 MB at the worst. */
export const MAX_PARSED_WEIGHT = 4_000_000
/**
 * Bytes parsed in one document, in lengths of the file and of what was inflated of it: objects may
 * not overlap without end.
 */
export const MAX_PARSED_LENGTHS = 4
export const MIN_PARSED_BYTES = 1_048_576

/** Bytes inflated in one document, and from one stream by its own length. */
export const MAX_INFLATED_BYTES = 96 * 1_048_576
export const MAX_INFLATE_RATIO = 300
/** Samples of one image, and of all images of a document. */
export const MAX_IMAGE_BYTES = 256 * 1_048_576
export const MAX_IMAGE_BYTES_OF_DOCUMENT = 1_024 * 1_048_576
/** Font programs of a document; the largest have some 20 MB each. */
export const MAX_FONT_BYTES_OF_DOCUMENT = 256 * 1_048_576
/** Any stream may inflate to so many bytes, as a map of all CIDs to glyphs does. */
export const MIN_INFLATE_BYTES = 131_072
export const MAX_FILTERS = 4

/** Cross-reference sections of one file: revisions and halves of linearized and hybrid files. */
export const MAX_SECTIONS = 4_096
/** Up to so many subsections, those of fifty signers, are looked through; more are indexed. */
export const MAX_SUBSECTIONS_UNINDEXED = 256
/** Entries that are indexed, objects found by a full scan, objects of one object stream. */
export const MAX_OBJECTS = 500_000
/** Annex C of ISO 32000-1: the largest number of an indirect object that readers take. */
export const MAX_OBJECT_NUMBER = 8_388_607
/** PDFium takes objects from 4,194,304 on for missing, Ghostscript some below 4,000,000. */
export const MAX_SIGNED_OBJECT_NUMBER = 2_000_000
/** References to references. */
export const MAX_REFERENCE_HOPS = 16

export const MAX_PAGES = 100_000
export const MAX_PAGE_NODES = 200_000
export const MAX_FIELDS = 50_000
/** Limit for all full names: each repeats those of its parents, in every revision that is read. */
export const MAX_FIELD_NAME_CHARACTERS = 4_000_000
/** Trailers that a full scan tries, from the last one up. */
export const MAX_TRAILERS_TRIED = 200
/** Spaces between the numbers and the keyword of `1 0 obj` that a full scan steps over. */
export const MAX_SPACES_IN_OBJECT_HEADER = 32
