/** What lies over the document: one script, loaded after the first page (decision 160). */
export { ConsentDialog } from './consent-dialog.tsx'
export { MoreDialog } from './more-dialog.tsx'
export { SearchBar } from './search-bar.tsx'
export { SignatureDialog } from './signature-dialog.tsx'
