/** CMaps that every reader takes alike are read, others refused. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { identityMap, readCodeMap } from '../../../../pades/syntax/fonts/code-map.ts'

const SPACE = '1 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange'
const bytes = (hexadecimal: string) => Buffer.from(hexadecimal, 'hex')

t.test('texts are read by codes of one and two bytes', async (t) => {
  const map = readCodeMap(
    `/WMode 1 def % a comment <00>\n${SPACE}` +
      ' 1 begincidrange <20> <7e> 1 endcidrange 2 begincidchar <8001> 700 <8000> 9 endcidchar' +
      ' 1 beginnotdefrange <00> <1f> 1 endnotdefrange',
  )
  t.equal(map?.isVertical, true)
  t.strictSame(map?.read(bytes('218001')), [2, 700])
  t.strictSame(map?.read(bytes('')), [])
  t.equal(map?.read(bytes('80')), undefined, 'half a code')
  t.equal(map?.read(bytes('10')), undefined, 'a code without a CID')
  t.equal(map?.read(bytes('8002')), undefined, 'a code of two bytes without a CID')
})

t.test('codes of three bytes are read beside others', async (t) => {
  const map = readCodeMap(
    '2 begincodespacerange <00> <7f> <e08080> <efbfbf> endcodespacerange' +
      ' 2 begincidrange <20> <7e> 1 <e38182> <e38183> 843 endcidrange',
  )
  t.strictSame(map?.read(bytes('21e38183')), [2, 844])
  t.equal(map?.read(bytes('e3c183')), undefined)
})

t.test('pairs of bytes are CIDs', async (t) => {
  t.strictSame(identityMap(false).read(bytes('00410102')), [65, 258])
  t.equal(identityMap(false).read(bytes('004101')), undefined)
})

const RANGE = '1 begincidrange <20> <7e> 1 endcidrange'
t.test('only white space of PDF ends an operator', async (t) => {
  const textIn = (source: string) => readCodeMap(source)?.read(bytes('20'))
  t.strictSame(textIn(`${SPACE} ${RANGE}`), [1])
  t.strictSame(textIn(`${SPACE} ${RANGE.replace(' <', '\0<')} % (`), [1])
  t.equal(textIn(`${SPACE} ${RANGE.replace(' <', '\u00a0<')}`), undefined)
})

for (const [what, source] of Object.entries({
  'a map without a space': RANGE,
  'a map of another one': `/Identity-H usecmap ${SPACE} ${RANGE}`,
  'characters in place of CIDs': `${SPACE} 1 beginbfchar <20> <0020> endbfchar`,
  'codes of three bytes': '1 begincodespacerange <000000> <ffffff> endcodespacerange',
  'a range outside of the space': `${SPACE} 1 begincidrange <80> <81> 1 endcidrange`,
  'ranges that overlap': `${SPACE} ${RANGE} 1 begincidchar <21> 5 endcidchar`,
  'spaces that overlap':
    '2 begincodespacerange <00> <7f> <70> <8f> endcodespacerange 1 begincidchar <00> 1 endcidchar',
  'a range over several first bytes': `${SPACE} 1 begincidrange <8002> <8102> 1 endcidrange`,
  'a CID above the last one': `${SPACE} 1 begincidrange <20> <7e> 65535 endcidrange`,
  'a code that is a number': `${SPACE} 1 begincidchar 32 1 endcidchar`,
  'two writing modes': `/WMode 0 def /WMode 1 def ${SPACE} ${RANGE}`,
  'a range in a string within a string': `${SPACE} (( ) ${RANGE} )`,
  'a range behind an escaped parenthesis': `${SPACE} (\\) ${RANGE} )`,
  'a range behind a string that is not ended': `${SPACE} ${RANGE} ( 1`,
  'a range behind a percent sign in a string': `${SPACE} ${RANGE} (%) ${RANGE}`,
  'a list without a CID': `${SPACE} 1 begincidchar <20> endcidchar`,
}))
  t.test(`${what} is refused`, async (t) => t.equal(readCodeMap(source), undefined))
