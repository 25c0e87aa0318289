import t from 'tap'
import { DEFAULT_TIME_ZONE, isTimeZone, localParts } from '../../domain/local-time.ts'

t.test('a time zone is a name of the IANA database, and not an offset', async (t) => {
  for (const name of [DEFAULT_TIME_ZONE, 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC']) {
    t.ok(isTimeZone(name), name)
  }
  for (const name of Intl.supportedValuesOf('timeZone')) t.ok(isTimeZone(name), name)
  for (const text of ['', '+01:00', '-05', 'Europe/Atlantis', 'Slovakia', ' UTC', 'x'.repeat(65)]) {
    t.notOk(isTimeZone(text), text)
  }
})

t.test('clocks go forward and back on the days of the zone', async (t) => {
  const timeIn = (timeZone: string, instant: string) => {
    const { hour, minute, offset } = localParts(
      new Date(instant),
      { language: 'en', timeZone },
      'long',
    )
    return `${hour}:${minute} ${offset}`
  }
  t.equal(timeIn('America/New_York', '2026-03-08T06:59:00.000Z'), '01:59 UTC-5')
  t.equal(timeIn('America/New_York', '2026-03-08T07:00:00.000Z'), '03:00 UTC-4')
  t.equal(timeIn('America/New_York', '2026-11-01T05:59:00.000Z'), '01:59 UTC-4')
  t.equal(timeIn('America/New_York', '2026-11-01T06:00:00.000Z'), '01:00 UTC-5')
  t.equal(timeIn('Europe/Bratislava', '2026-03-29T00:59:00.000Z'), '01:59 UTC+1')
  t.equal(timeIn('Europe/Bratislava', '2026-03-29T01:00:00.000Z'), '03:00 UTC+2')
  t.equal(timeIn('Asia/Kolkata', '2026-07-01T00:00:00.000Z'), '05:30 UTC+5:30')
})

t.test('a zone has its name where the language has one, otherwise its offset', async (t) => {
  const zoneIn = (language: 'sk' | 'en', timeZone: string) =>
    localParts(new Date('2026-07-01T00:00:00.000Z'), { language, timeZone }, 'long').zone
  t.same(
    [zoneIn('sk', 'Europe/Vienna'), zoneIn('en', 'Europe/Vienna'), zoneIn('en', 'Europe/London')],
    ['SELČ', 'CEST', 'BST'],
  )
  t.same([zoneIn('sk', 'Europe/London'), zoneIn('en', 'Asia/Tokyo')], ['UTC+1', 'UTC+9'])
})

t.test('more zones than are kept are written correctly', async (t) => {
  for (const timeZone of [...Intl.supportedValuesOf('timeZone').slice(0, 150), 'Asia/Tokyo']) {
    const { hour } = localParts(
      new Date('2026-07-01T00:00:00.000Z'),
      { language: 'en', timeZone },
      'long',
    )
    t.match(hour, timeZone === 'Asia/Tokyo' ? '09' : /^\d\d$/)
  }
})
