/** `/verify`: anybody sees who signed a PDF, and whether it was changed since (ux.md, V1 to V3). */
import { Speaking, start } from '../lib/start.tsx'
import { App } from './app.tsx'
import './verify.css'

start(
  <Speaking>
    <App />
  </Speaking>,
)
