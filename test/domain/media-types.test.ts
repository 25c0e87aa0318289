import t from 'tap'
import { mediaTypeOf } from '../../domain/media-types.ts'

t.test('a media type is compared without parameters and case', async (t) => {
  t.equal(mediaTypeOf('Application/PDF'), 'application/pdf')
  t.equal(mediaTypeOf(' application/json ; charset=utf-8'), 'application/json')
  t.equal(mediaTypeOf('text/plain;a="\n"'), 'text/plain')
  t.equal(mediaTypeOf(''), '')
})
