/** `/sign/{participantId}#token`: opens the link that this page was called by. */
import { openSigningPage } from './open.tsx'

openSigningPage()
