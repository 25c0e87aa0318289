/** What the build puts in. */

/** Where the files of the PDF reader lie, with a slash at both ends. */
declare const READER_FOLDER: string
/** Path of the script that draws `/docs`. */
declare const REFERENCE_SCRIPT: string
