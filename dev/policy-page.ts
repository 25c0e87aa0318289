/** Builds the reference page of policy files from their schema. */
import { VerificationPolicy } from '../domain/verification-policy.ts'
import { MADE_BY, table } from './markdown.ts'

/** The parts of JSON Schema that the policy uses. */
interface Schema {
  type?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly { const?: string }[]
}

const typeOf = ({ type, anyOf, items }: Schema): string => {
  if (anyOf) return anyOf.map((choice) => `\`${choice.const}\``).join(', ')
  return items ? `array of ${items.type ?? 'object'}` : (type ?? '')
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const own = [
      `\`${path}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : 'no',
      schema.description ?? '',
    ]
    const below = schema.items ? rowsOf(schema.items, `${path}[].`) : rowsOf(schema, `${path}.`)
    return [own, ...below]
  })
}

const EXAMPLE = {
  id: 'https://example.com/policies/archive',
  version: 2,
  trust: { certificates: ['roots'] },
  modifications: { formFilling: 'notPermitted' },
  algorithms: [
    { algorithm: 'sha224', until: '2025-12-31T23:59:59Z' },
    { algorithm: 'rsa', belowBits: 3000, until: '2028-12-31T23:59:59Z' },
  ],
}

/** Returns the page in Markdown. */
export const policyPage = (): string =>
  [
    MADE_BY,
    '# Policy files',
    '',
    '`npm run verify -- contract.pdf --policy policy.json` validates with the constraints of a',
    'file. The file is JSON. Unknown members, repeated names and wrong values are refused with',
    'their place in the file. The table comes from `domain/verification-policy.ts`.',
    '',
    ...table(['member', 'type', 'required', 'meaning'], rowsOf(VerificationPolicy as Schema)),
    '',
    '- **Paths** are relative to the policy file. Certificates are PEM or DER.',
    '- **Algorithms** can only become stricter. MD5, SHA-1, RIPEMD-160, DSA, RSA below 2048 bits',
    '  and elliptic curves below 256 bits never count, whatever the policy says. The time that is',
    '  compared with `until` is the time at which the signature or time-stamp is proven to have',
    '  existed. Signatures of revocation lists and OCSP responses are not compared.',
    '- **Form filling** that DocMDP or FieldMDP forbids stays forbidden.',
    '- **Reports** name the policy: `policy.id`, `policy.version` and `policy.sha256`, the digest',
    '  of the file. The digest does not cover the certificates and lists that the file names.',
    '- Without a policy file, the built-in policy applies: every default of the table. Its name is',
    '  `sigcase-strict`. It has no digest.',
    '- `POST /verify` always uses the built-in policy.',
    '',
    '```json',
    JSON.stringify(EXAMPLE, null, 2),
    '```',
    '',
  ].join('\n')
