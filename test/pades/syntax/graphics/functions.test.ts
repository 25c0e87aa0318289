/** Functions that lack a part are refused wherever they are. */
import t from 'tap'
import { imageOf, painting, PARTS, streamOf, verdictOn } from './painted.ts'

const GREY = imageOf(`/BitsPerComponent 8 /ColorSpace /DeviceGray /Foo ${PARTS[0]}`, 'abcdefgh')
const verdict = (object: string) => verdictOn(painting(GREY, [object]))

const LINEAR = '<< /FunctionType 2 /Domain [0 1] /N 1 >>'
const sampled = (entries: string, data = 'abcd') =>
  streamOf(`/FunctionType 0 /Domain [0 1] /Range [0 1 0 1] ${entries}`, data)
const stitched = (entries: string) => `<< /FunctionType 3 /Domain [0 1] ${entries} >>`
const calculated = (code: string) => streamOf('/FunctionType 4 /Domain [0 1] /Range [0 1]', code)

const TAKEN = [
  LINEAR,
  '<< /FunctionType 2 /Domain [0 1] /C0 [0 0] /C1 [1 1] /Range [0 1 0 1] /N 2.5 >>',
  sampled('/Size [2] /BitsPerSample 8'),
  sampled('/Size [2] /BitsPerSample 8 /Order 1 /Encode [0 1] /Decode [0 1 0 1]'),
  stitched(`/Functions [${LINEAR} ${LINEAR}] /Bounds [0.5] /Encode [0 1 1 0]`),
  stitched(`/Functions [${LINEAR}] /Bounds [] /Encode [0 1]`),
  calculated('{ dup 0.5 gt { pop 1 } { 2 mul } ifelse }'),
]
for (const source of TAKEN) {
  t.test(`taken: ${source}`, async (t) => t.equal(verdict(source), 'accepted'))
}

const REFUSED = [
  '<< /FunctionType 1 /Domain [0 1] >>',
  '<< /FunctionType 2 /N 1 >>',
  '<< /FunctionType 2 /Domain [1 0] /N 1 >>',
  '<< /FunctionType 2 /Domain [0 1 0 1] /N 1 >>',
  '<< /FunctionType 2 /Domain [0 1] >>',
  '<< /FunctionType 2 /Domain [0 1] /C0 [0 0] /N 1 >>',
  '<< /FunctionType 2 /Domain [0 1] /Range [0 1 0 1] /N 1 >>',
  sampled('/Size [3] /BitsPerSample 8'),
  sampled('/Size [2] /BitsPerSample 7'),
  sampled('/Size [0] /BitsPerSample 8'),
  sampled('/Size [2 2] /BitsPerSample 8'),
  sampled('/Size [2] /BitsPerSample 8 /Order 3'),
  sampled('/Size [2] /BitsPerSample 8 /Decode [0 1]'),
  sampled('/Size [2] /BitsPerSample 8 /Filter /FlateDecode'),
  stitched('/Functions [] /Bounds [] /Encode []'),
  stitched(`/Functions [${LINEAR}] /Bounds [0.5] /Encode [0 1]`),
  stitched(`/Functions [${LINEAR} ${LINEAR}] /Bounds [2] /Encode [0 1 0 1]`),
  stitched(`/Functions [${LINEAR} null] /Bounds [0.5] /Encode [0 1 0 1]`),
  stitched(`/Functions [${PARTS[0]}] /Bounds [] /Encode [0 1]`),
  '<< /FunctionType 2 /Domain [0 1] /N 0 >>',
  '<< /FunctionType 2 /Domain [0 1] /N -1 >>',
  '<< /FunctionType 2 /Domain [0 1] /N 1 /Range [0.9 1] >>',
  '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [0] /Range [0 0.1] >>',
  stitched(`/Functions [${LINEAR} ${LINEAR}] /Bounds [1] /Encode [0 1 0 1]`),
  stitched(`/Functions [${LINEAR} ${LINEAR}] /Bounds [0] /Encode [0 1 0 1]`),
  stitched(`/Functions [${LINEAR}] /Bounds [] /Encode [0 7]`),
  calculated('{ pop 1 0 }'),
  calculated('{ dup'),
  calculated('{ } { }'),
  calculated('{ quit }'),
  calculated(''),
]
for (const source of REFUSED) {
  t.test(`refused: ${source}`, async (t) => t.match(verdict(source), /a function/))
}
