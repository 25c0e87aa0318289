/** `/kiosk`: a screen on which cases open for visitors. */
import { KioskContext } from '../lib/kiosk-context.ts'
import { Speaking, start } from '../lib/start.tsx'
import '../sign/sign.css'
import { KioskApp } from './app.tsx'
import './kiosk.css'

document.documentElement.classList.add('kiosk')
document.addEventListener('contextmenu', (event) => event.preventDefault())

start(
  <Speaking>
    <KioskContext.Provider value={true}>
      <KioskApp />
    </KioskContext.Provider>
  </Speaking>,
)
