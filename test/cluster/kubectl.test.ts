import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { ApiRefusal } from '../../adapters/kubernetes/api-server.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { isInstalled } from '../../dev/outside-programs.ts'
import { sendInput } from '../../dev/program-input.ts'
import { until } from '../fixtures/until.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'

t.setTimeout(600_000)

const run = promisify(execFile)
const skip = isInstalled('kubectl') ? false : 'kubectl is not installed'
const NOT_FOUND = 404
const IN_A_DAY = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()

const PERSON = {
  firstName: 'Jana',
  lastName: 'Nováková',
  email: 'jana@example.com',
  signatureFields: [{ page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }],
}

function applied(name: string, definition: object = {}) {
  return {
    apiVersion: 'sigcase.dev/v1',
    kind: 'SignatureCase',
    metadata: { name, namespace: TENANT },
    spec: {
      definition: {
        title: 'Contract',
        validUntil: IN_A_DAY(),
        quickSign: true,
        participants: [PERSON],
        ...definition,
      },
    },
  }
}

await withLocalCluster({ workers: ['node'] }, ({ kubeconfig, client, admin, logged }) => {
  const kubectl = async (words: string, input?: object, ...more: string[]) => {
    const args = ['--kubeconfig', kubeconfig, '-n', TENANT, ...words.split(' '), ...more]
    const running = run('kubectl', args, { env: { ...process.env, HOME: '/nonexistent' } })
    sendInput(running.child, input && JSON.stringify(input))
    return (await running).stdout
  }
  // Its own checks know nothing of rules that this server drops.
  const apply = (body: object) => kubectl('apply --validate=false -f -', body)
  // Not by kubectl: tests ask again and again, and each start of it asks for every kind first.
  const secret = async (name: string) => {
    const path = `/api/v1/namespaces/${TENANT}/secrets/${name}`
    const read = admin.send<{ data: Record<string, string> }>({ path })
    const found = await read.catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === NOT_FOUND) return undefined
      throw error
    })
    const decode = ([key, value]: [string, string]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]
    if (!found) return undefined
    return Object.fromEntries(Object.entries(found.data).map(decode)) as Record<string, string>
  }

  t.test('an applied case goes its whole way', { skip }, async (t) => {
    const name = randomUUID()
    await apply(applied(name))
    let upload: Record<string, string> | undefined
    await until(async () => (upload = await secret(`${name}-upload`)) !== undefined)
    t.ok(Date.parse(upload?.expiresAt ?? '') > Date.now())
    const people = await client()
    await people.upload(upload?.url ?? '', await smallDocument())
    const [participant] = (await people.untilNot('NEW', name)).participants
    await until(async () => (await secret(`${name}-upload`)) === undefined)
    t.equal((await people.sign(participant?.signerUrl ?? '')).status, 200)
    await kubectl(`wait --for=condition=Done --timeout=30s signaturecase/${name}`)
    t.match(await kubectl(`get signaturecase ${name}`), /DONE +1\/1/)
    const story = await kubectl(`describe signaturecase ${name}`)
    t.match(story, /Type: +Done\n/)
    t.match(story, '1 of 1 participants have signed')
  })

  t.test(
    'the same file applied again changes nothing, however it is applied',
    { skip },
    async (t) => {
      const again: Record<string, string> = {
        'apply --validate=false -f -': 'apply --validate=false -f -',
        'apply --validate=false --server-side -f -': 'apply --validate=false --server-side -f -',
        'apply --validate=false --server-side --force-conflicts -f -':
          'apply --validate=false --server-side -f -',
        'replace --validate=false -f -': 'create --validate=false -f -',
      }
      for (const [words, first] of Object.entries(again)) {
        const file = applied(randomUUID())
        const { name } = file.metadata
        await kubectl(first, file)
        const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${name}`
        await until(async () => (await secret(`${name}-upload`)) !== undefined)
        const read = () => admin.send<SignatureCase>({ path })
        const before = await read()
        await kubectl(words, file)
        const after = await read()
        t.same(after.spec, before.spec, words)
        t.equal(after.metadata.generation, before.metadata.generation, 'no new generation')
        t.match(after.status?.participants, [{ id: /^[0-9a-f-]{36}$/ }])
        await t.resolves(kubectl('diff -f -', file), 'kubectl diff finds no difference')
      }
    },
  )

  t.test(
    'a file with the defaults of its list is unchanged in other modes too',
    { skip },
    async (t) => {
      const serverSide = 'apply --validate=false --server-side -f -'
      const short = applied(randomUUID())
      await apply(short)
      await t.rejects(kubectl(serverSide, short), /conflict.*participants/, 'the page says so')
      const whole = applied(randomUUID(), {
        participants: [{ ...PERSON, language: 'en', notify: true }],
      })
      await apply(whole)
      t.match(await apply(whole), /unchanged\n$/)
      t.match(await kubectl(serverSide, whole), /serverside-applied\n$/)
    },
  )

  t.test('a case is cancelled by a patch, and removed with its secrets', { skip }, async (t) => {
    const name = randomUUID()
    const credentials = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'hook', labels: { 'sigcase.dev/callback-credentials': 'true' } },
      stringData: { apiKeyValue: 'opensesame', signingSecret: 's'.repeat(32) },
    }
    await apply(credentials)
    const callback = {
      url: 'http://127.0.0.1:9/hook',
      authType: 'API_KEY',
      apiKeyHeader: 'X-Key',
      secretRef: { name: 'hook' },
    }
    await apply(applied(name, { callback }))
    await until(async () => (await secret(name)) !== undefined)
    t.match(await secret(name), { apiKeyValue: 'opensesame' })
    const cancellation = { at: new Date().toISOString(), reason: 'no longer needed' }
    const patch = JSON.stringify({ spec: { cancellation } })
    await kubectl(`patch signaturecase ${name} --type=merge -p`, undefined, patch)
    await kubectl(`wait --for=condition=Ended --timeout=30s signaturecase/${name}`)
    t.match(await kubectl(`describe signaturecase ${name}`), 'no longer needed')
    t.equal((await (await client()).get(name)).status, 'CANCELLED')
    await kubectl(`delete signaturecase ${name} --timeout=60s`)
    t.equal(await secret(name), undefined)
  })

  t.test('a case is erased by an annotation that names it', { skip }, async (t) => {
    const name = randomUUID()
    const annotate = (value: string) =>
      kubectl(`annotate --overwrite signaturecase ${name} sigcase.dev/erase=${value}`)
    const reason = () =>
      kubectl(
        `get signaturecase ${name} -o ` +
          'jsonpath={.status.conditions[?(@.type=="Erased")].reason}',
      )
    await apply(applied(name))
    await annotate('true')
    await until(async () => (await reason()) === 'IdMismatch')
    await annotate(name)
    await until(async () => (await reason()) === 'NotEnded')
    t.equal(await reason(), 'NotEnded')
    const patch = JSON.stringify({ spec: { cancellation: { at: new Date().toISOString() } } })
    await kubectl(`patch signaturecase ${name} --type=merge -p`, undefined, patch)
    await kubectl(`wait --for=condition=Erased --timeout=60s signaturecase/${name}`)
    t.match(await kubectl(`describe signaturecase ${name}`), 'personal values were erased')
    await kubectl(`delete signaturecase ${name} --timeout=60s`)
    await t.rejects((await client()).get(name), /404/)
  })

  t.test(
    'a living case that is removed is cancelled first, and leaves nothing',
    { skip },
    async (t) => {
      const { case: created } = await (await client()).create('Contract', [{}])
      await kubectl(`wait --for=condition=Ended=false --timeout=60s signaturecase/${created.id}`)
      await kubectl(`delete signaturecase ${created.id} --timeout=60s`)
      t.equal(await secret(created.id), undefined)
      const events = await kubectl('get events -o json')
      t.match(events, 'The resource was removed')
    },
  )

  t.test('a bad case says in a sentence what is wrong with it', { skip }, async (t) => {
    const beyond = {
      ...PERSON.signatureFields[0],
      x: 0.9,
      y: 0,
      width: 0.2,
      height: 0.1,
      unit: 'fraction',
    }
    const bad: [object, RegExp][] = [
      [{ participants: [{ ...PERSON, signatureFields: [beyond] }] }, /must be inside the page/],
      [{ callback: { url: 'ftp://127.0.0.1/', authType: 'NONE' } }, /must be an http or https URL/],
      [
        { callback: { url: 'https://hook.example/', authType: 'BASIC' } },
        /must have required property 'clientId' with authType BASIC/,
      ],
      [
        { callback: { url: 'https://hook.example/', authType: 'NONE', secretRef: { name: 'x' } } },
        /no Secret x with the label for callbacks exists/,
      ],
    ]
    for (const [definition, sentence] of bad) {
      const name = randomUUID()
      await apply(applied(name, definition))
      await kubectl(`wait --for=condition=Invalid --timeout=30s signaturecase/${name}`)
      t.match(await kubectl(`describe signaturecase ${name}`), sentence)
      await t.rejects((await client()).get(name), /404/)
      await kubectl(`delete signaturecase ${name} --timeout=30s`)
    }
  })

  t.test('every command of the page does what it says', { skip }, async (t) => {
    const name = randomUUID()
    await apply(applied(name))
    await kubectl('wait --for=condition=Ready --timeout=30s tenant/acme')
    await until(async () => (await kubectl(`get sigc ${name}`)).includes('NEW'))
    const [head = '', row = ''] = (await kubectl(`get signaturecases ${name} -o wide`)).split('\n')
    t.same(head.trim().split(/ {2,}/), [
      'NAME',
      'PHASE',
      'SIGNED',
      'VALID UNTIL',
      'AGE',
      'TITLE',
      'PAGES',
      'WAITING',
    ])
    t.match(row, /NEW +0\/1 +\S+Z? +\S+ +Contract/)
    t.notMatch(await kubectl(`get signaturecases ${name}`), 'Contract', 'less without -o wide')
    t.match(await kubectl('get sigcase'), `signaturecase.sigcase.dev/${name}`)
    const first = await secret(`${name}-upload`)
    const at = new Date(Date.now() + 1_000).toISOString()
    const patch = JSON.stringify({ spec: { uploadRequestedAt: at } })
    await kubectl(`patch signaturecase ${name} --type=merge -p`, undefined, patch)
    const isLater = async () => {
      const { expiresAt = '' } = (await secret(`${name}-upload`)) ?? {}
      return Date.parse(expiresAt) > Date.parse(first?.expiresAt ?? '')
    }
    await until(isLater)
    t.ok(await isLater(), 'another hour')
    await kubectl(`delete signaturecase ${name} --timeout=60s`)
  })

  t.test('what a field means is explained', { skip }, async (t) => {
    const explain = (path: string) => kubectl(`explain ${path}`)
    // The server builds its description of new kinds in the background.
    await until(async () => explain('signaturecase.spec').then(Boolean, () => false))
    const definition = await explain('signaturecase.spec.definition')
    for (const field of ['title', 'validUntil', 'participants', 'callback']) {
      t.match(definition, new RegExp(`^ +${field}\\s`, 'm'))
    }
    t.match(await explain('signaturecase.spec.definition.validUntil'), /DESCRIPTION:\s+\S/)
    t.match(await explain('tenant.spec.identity'), /issuer/)
    t.match(await explain('kioskdevice.spec'), /name/)
    t.match(await explain('signaturecase.status.conditions'), /reason/)
  })

  t.test('two tenants do not share a namespace', { skip }, async (t) => {
    const identity = { issuer: 'https://i.example', audience: 'a', claim: 'org', value: 'x' }
    const body = {
      apiVersion: 'sigcase.dev/v1',
      kind: 'Tenant',
      metadata: { name: 'second' },
      spec: { namespace: TENANT, identity },
    }
    await admin.send({ method: 'POST', path: '/apis/sigcase.dev/v1/tenants', body })
    await kubectl('wait --for=condition=Ready=false --timeout=30s tenant/second')
    t.match(await kubectl('describe tenant second'), 'is the namespace of tenant acme')
  })

  t.test('no component asked for more than its role allows', async (t) => {
    t.same(logged(/is forbidden: /), [])
  })
})
