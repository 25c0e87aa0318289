/** `/dev/graphql`: runs queries and subscriptions, on one machine (decision 271). */
import { useState } from 'preact/hooks'
import { Fault, StepHeading, TopBar } from '../design/parts.tsx'
import { Speaking, start } from '../lib/start.tsx'
import { Editor } from './editor.tsx'
import { SchemaPane } from './schema-pane.tsx'
import { useAccess } from './use-access.ts'
import { useGraphqlTexts } from './use-graphql-texts.ts'
import { useRun } from './use-run.ts'
import './graphql.css'

const DEMO_TENANT = 'demo'
const FIRST_QUERY = `query Cases($first: Int) {
  cases(first: $first, status: "IN_PROGRESS") {
    cases {
      id
      title
      participants { email status }
    }
    nextCursor
  }
}

# Or follow changes:
# subscription { caseChanged { caseId case { title status } } }
`
const FIRST_VARIABLES = '{ "first": 10 }\n'

type Access = ReturnType<typeof useAccess>

function TokenForm({ token, setToken, issue }: Access) {
  const texts = useGraphqlTexts()
  const [tenant, setTenant] = useState(DEMO_TENANT)
  const submit = (event: Event) => {
    event.preventDefault()
    void issue(tenant.trim())
  }
  return (
    <form class="access" onSubmit={submit}>
      <label>
        {texts.tenant}
        <input
          class="input"
          value={tenant}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTenant(currentTarget.value)}
        />
      </label>
      <button class="button">{texts.getToken}</button>
      <label class="token">
        {texts.token}
        <input
          class="input"
          type="password"
          value={token}
          autocomplete="off"
          onChange={({ currentTarget }) => setToken(currentTarget.value.trim())}
        />
      </label>
    </form>
  )
}

function Results({ state, results }: Pick<ReturnType<typeof useRun>, 'state' | 'results'>) {
  const texts = useGraphqlTexts()
  const words = { subscribed: texts.waiting, ended: texts.ended, idle: '', running: '' }
  const isFault = state === 'notJson' || state === 'failed'
  return (
    <section class="results stack tight">
      <h2>{texts.result}</h2>
      <Fault>{isFault ? texts[state] : null}</Fault>
      <p class="quiet" role="status">
        {isFault ? '' : words[state]}
      </p>
      {results.length === 0 && state === 'idle' ? <p class="quiet">{texts.noResult}</p> : null}
      {results.map((result, index) => (
        <pre key={results.length - index} tabIndex={0} translate={false}>
          {JSON.stringify(result, undefined, 2)}
        </pre>
      ))}
    </section>
  )
}

function GraphqlPage() {
  const texts = useGraphqlTexts()
  const access = useAccess()
  const { state, results, run, stop } = useRun(access.token)
  const [query, setQuery] = useState(FIRST_QUERY)
  const [variables, setVariables] = useState(FIRST_VARIABLES)
  const onRun = () => void run(query, variables)
  return (
    <div class="stage">
      <TopBar />
      <main class="graphql-page stack">
        <StepHeading>{texts.heading}</StepHeading>
        <p class="quiet">{texts.lead}</p>
        <TokenForm {...access} />
        <Fault>{access.fault ? texts[access.fault] : null}</Fault>
        <div class="panes">
          <section class="stack tight">
            <h2>{texts.query}</h2>
            <Editor
              label={texts.query}
              language="graphql"
              value={query}
              schema={access.schema}
              onChange={setQuery}
              onRun={onRun}
            />
            <h2>{texts.variables}</h2>
            <Editor
              label={texts.variables}
              language="json"
              value={variables}
              onChange={setVariables}
              onRun={onRun}
            />
            <div class="row">
              <button type="button" class="button primary" onClick={onRun}>
                {texts.run}
              </button>
              {state === 'subscribed' ? (
                <button type="button" class="button" onClick={stop}>
                  {texts.stop}
                </button>
              ) : null}
            </div>
            <p class="quiet small">{texts.runHint}</p>
          </section>
          <Results state={state} results={results} />
          <SchemaPane schema={access.schema} />
        </div>
      </main>
    </div>
  )
}

start(
  <Speaking>
    <GraphqlPage />
  </Speaking>,
)
