/** The pictures of the signing page's states, on a phone. */
import { GRAPHQL_ENGLISH } from '../../web/texts/graphql-en.ts'
import { EN, fillField, openConsent, press } from './drawing.ts'
import type { Picture, Scene } from './scene.ts'

const PHONE = { width: 390, height: 780 }
/** Bytes that no reader takes for a PDF. */
const NO_PDF = new TextEncoder().encode('%PDF-1.7'.padEnd(2_000, ' no PDF'))
const STATE_OF_EXPIRED = {
  code: 'CASE_NOT_ACTIVE',
  message: 'The case is no longer active',
  status: 'EXPIRED',
  senderName: 'ACME Studio',
}

const withCode = ({ openCase }: Scene) => openCase({ more: { multiFactorType: 'EMAIL' } })

export const STATE_PICTURES: readonly Picture[] = [
  {
    name: 'graphql',
    viewport: { width: 1280, height: 800 },
    async show(page, { baseUrl }) {
      await page.goto(`${baseUrl}/dev/graphql`)
      await page.getByLabel(GRAPHQL_ENGLISH.tenant).fill('demo')
      await press(page, GRAPHQL_ENGLISH.getToken)
      await page.getByText('caseChanged(caseId: ID): CaseChange!').waitFor()
    },
  },
  {
    name: 'mailbox-failed',
    viewport: PHONE,
    async show(page, { baseUrl }) {
      await page.route('**/dev/mails', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto(`${baseUrl}/dev/mailbox`)
      await page.getByText(EN.mailboxFailed).waitFor()
    },
  },
  {
    name: 'sign-code',
    viewport: PHONE,
    async show(page, scene) {
      await page.goto((await withCode(scene)).signerUrl)
      await press(page, EN.codeSend)
      await page.getByLabel(EN.codeLabel).fill('482 913')
    },
  },
  {
    name: 'sign-consent',
    viewport: PHONE,
    async show(page, { openCase }) {
      await page.goto((await openCase()).signerUrl)
      await fillField(page)
      await page.getByText(EN.reviewed(1, 1)).waitFor()
      await openConsent(page)
    },
  },
  {
    name: 'sign-done',
    viewport: PHONE,
    async show(page, { openCase }) {
      await page.goto((await openCase()).signerUrl)
      await fillField(page)
      await openConsent(page)
      await press(page, EN.signDocument)
      await page.getByText(EN.doneReady).waitFor()
    },
  },
  {
    name: 'sign-rejected',
    viewport: PHONE,
    async show(page, { openCase }) {
      await page.goto((await openCase({ document: NO_PDF })).signerUrl)
      await page.getByText(EN.rejectedHeading).waitFor()
    },
  },
  {
    name: 'sign-expired',
    viewport: PHONE,
    async show(page, { openCase }) {
      // Nobody can wait for the deadline here: the answer of the service is given in its place.
      await page.route('**/caseDefinition', (route) =>
        route.fulfill({ status: 410, json: STATE_OF_EXPIRED }),
      )
      await page.goto((await openCase()).signerUrl)
      await page.getByText(EN.expiredHeading).waitFor()
    },
  },
]
