/** Sentences that say what was changed in a document, in both languages. */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { Language } from './plural.ts'

type Change = ValidationReport['signatures'][number]['modifications']['changes'][number]
export type ChangedPart = NonNullable<Change['part']>
export type Action = Change['action']
/** What lies on a page; the page and its content have sentences of their own. */
type Thing = Exclude<ChangedPart, 'page' | 'content'>

/** Changes of one kind on one page. */
export interface ChangeInWords {
  /** From 1; absent for what is not part of a page. */
  page?: number
  part?: ChangedPart
  action: Action
  count: number
}

const ENGLISH_THINGS: Readonly<Record<Thing, readonly [one: string, many: string]>> = {
  note: ['A note', 'notes'],
  mark: ['A mark in the text', 'marks in the text'],
  drawing: ['A drawing', 'drawings'],
  stamp: ['A picture of a stamp', 'pictures of stamps'],
  link: ['A link', 'links'],
  field: ['A form field', 'form fields'],
  attachment: ['An attached file', 'attached files'],
  annotation: ['An annotation', 'annotations'],
}
const ENGLISH_ACTIONS = { added: 'added to', changed: 'changed on', deleted: 'deleted from' }

function english({ page, part, action, count }: ChangeInWords): string {
  if (page === undefined || part === undefined) {
    return 'Something was changed that belongs to the whole document or to several pages.'
  }
  if (part === 'content') return `The content of page ${page} was changed.`
  if (part === 'page') return `Page ${page} was ${action}.`
  const [one, many] = ENGLISH_THINGS[part]
  const what = count === 1 ? `${one} was` : `${count} ${many} were`
  return `${what} ${ENGLISH_ACTIONS[action]} page ${page}.`
}

type Gender = 'masculine' | 'feminine' | 'neuter'

const SLOVAK_THINGS: Readonly<Record<Thing, readonly [one: string, many: string, Gender]>> = {
  note: ['poznámka', 'poznámky', 'feminine'],
  mark: ['označenie textu', 'označenia textu', 'neuter'],
  drawing: ['kresba', 'kresby', 'feminine'],
  stamp: ['obrázok pečiatky', 'obrázky pečiatok', 'masculine'],
  link: ['odkaz', 'odkazy', 'masculine'],
  field: ['pole formulára', 'polia formulára', 'neuter'],
  attachment: ['priložený súbor', 'priložené súbory', 'masculine'],
  annotation: ['anotácia', 'anotácie', 'feminine'],
}
const SLOVAK_ACTIONS: Readonly<Record<Action, Readonly<Record<Gender | 'many', string>>>> = {
  added: { masculine: 'pribudol', feminine: 'pribudla', neuter: 'pribudlo', many: 'pribudli' },
  changed: {
    masculine: 'bol zmenený',
    feminine: 'bola zmenená',
    neuter: 'bolo zmenené',
    many: 'boli zmenené',
  },
  deleted: {
    masculine: 'bol odstránený',
    feminine: 'bola odstránená',
    neuter: 'bolo odstránené',
    many: 'boli odstránené',
  },
}

function slovak({ page, part, action, count }: ChangeInWords): string {
  if (page === undefined || part === undefined) {
    return 'Zmenilo sa niečo, čo patrí celému dokumentu alebo viacerým stranám.'
  }
  if (part === 'content') return `Obsah strany ${page} bol zmenený.`
  if (part === 'page') return `Strana ${page} ${SLOVAK_ACTIONS[action].feminine}.`
  const [one, many, gender] = SLOVAK_THINGS[part]
  const form = SLOVAK_ACTIONS[action]
  return count === 1
    ? `Na strane ${page} ${form[gender]} ${one}.`
    : `Na strane ${page} ${form.many} ${many} (${count}).`
}

/** One sentence that says what was changed. */
export const changeSentence = (language: Language, change: ChangeInWords): string =>
  language === 'sk' ? slovak(change) : english(change)
