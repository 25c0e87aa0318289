/** An upgrade changes the definition of cases while cases run, and a rollback takes it back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import t from 'tap'
import { installChart, INSTALL_LIMIT, RELEASE } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, runCase, TENANT, untilWhole } from './cases.ts'

const CASES = 3
const FIELD = 'costCentre'
const NAME = 'signaturecases.sigcase.dev'

interface Definition {
  spec: {
    versions: {
      schema: {
        openAPIV3Schema: { properties: { spec: { properties: Record<string, object> } } }
      }
    }[]
  }
}

const specOf = ({ spec }: Definition) =>
  spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {}

/** Adds an optional member to the definition, as a newer version of the chart may. */
function addField(chart: string): void {
  const path = join(chart, 'files/crds', `${NAME}.yaml`)
  const definition = load(readFileSync(path, 'utf8')) as Definition
  specOf(definition)[FIELD] = { type: 'string', maxLength: 50 }
  writeFileSync(path, dump(definition))
}

const hasField = async () =>
  Object.hasOwn(specOf(await kubectl.get<Definition>(`customresourcedefinition/${NAME}`)), FIELD)

const ofTenant = `--namespace=${TENANT}`

/** Writes the member of a case. @returns what the API server kept of it */
async function writeField(caseId: string, value: string): Promise<string | undefined> {
  const patch = JSON.stringify({ spec: { [FIELD]: value } })
  await kubectl.run('patch', 'signaturecase', caseId, ofTenant, '--type=merge', '--patch', patch)
  const found = await kubectl.get<{ spec: Record<string, string> }>(
    ...['signaturecase', caseId, ofTenant],
  )
  return found.spec[FIELD]
}

t.test('an upgrade changes the definition while cases run', async (t) => {
  await untilWhole()
  const before = await runCase(t)
  t.equal(await writeField(before, 'before'), undefined, 'the API server drops an unknown member')
  const cases = Array.from({ length: CASES }, () => runCase(t))
  await installChart({ ...cluster, editChart: addField })
  t.ok(await hasField(), 'the definition has the member')
  t.equal(new Set(await Promise.all(cases)).size, CASES, 'cases of the old definition are DONE')
  t.equal(await writeField(before, 'after'), 'after', 'an old case can have the member')
  await runCase(t)
})

t.test('a rollback takes the definition back, and cases go on', async (t) => {
  const running = runCase(t)
  await kubectl.helm('rollback', RELEASE, NAMESPACE, '--wait', '--timeout', INSTALL_LIMIT)
  t.notOk(await hasField(), 'the definition is the old one')
  t.ok(await running)
  await runCase(t)
})
