import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { FileMailbox } from '../../../adapters/embedded/mailbox.ts'
import { FileMailer } from '../../../adapters/embedded/mailer.ts'

const ID = '0b6c3a36-7b26-4d3e-9d3e-1d6f3a1f5c11'
const HTML = `<p>Ľuboš Šťastný podpísal – ${'žltý kôň '.repeat(40)}= \u{1f40e}</p>\n`
const SUBJECT = `Na podpis: ${'Zmluva o dielo č. 2026/114 '.repeat(3)}`

t.test('what was mailed is read back as it was', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-mailbox-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const mailbox = new FileMailbox(join(folder, 'mail'))
  t.same(await mailbox.list(), [], 'before there is a folder')
  const mailer = new FileMailer(join(folder, 'mail'))
  const mail = {
    fromName: 'Stavby Žilina',
    to: { name: 'Ľuboš Šťastný', address: 'lubos@example.com' },
    language: 'sk' as const,
    subject: SUBJECT.trim(),
    text: 'Ľuboš',
    html: HTML,
  }
  await mailer.send({ ...mail, id: ID })
  const pdf = { name: 'a.pdf', mediaType: 'application/pdf', bytes: new Uint8Array(9_000) }
  const second = ID.replace(/1$/, '2')
  await mailer.send({ ...mail, id: second, attachments: [pdf] })
  await writeFile(join(folder, 'mail/other.txt'), 'no mail')
  t.same((await mailbox.list()).map(({ id }) => id).sort(), [ID, second])
  t.match(await mailbox.list(), [
    { to: 'Ľuboš Šťastný <lubos@example.com>', subject: SUBJECT.trim(), sentAt: /Z$/ },
    {},
  ])
  for (const id of [ID, second]) {
    t.equal((await mailbox.read(id))?.replaceAll('\r\n', '\n').trim(), HTML.trim())
  }
  t.equal(await mailbox.read('../keyring'), undefined)
  t.equal(await mailbox.read(ID.replace(/1$/, '3')), undefined)
})
