/**
 * Trigrams of the texts in the index of cases, so that a search does not read every text
 * (decision 233; SQLite, FTS5, "The Trigram Tokenizer").
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CaseFilter } from '../../domain/ports/case-index.ts'
import { inTransaction } from './sqlite.ts'

/** More than this many found cases are sorted no faster than a walk in the order of the result. */
const MAXIMUM_FOUND = 5_000
/** Limits the work of one search; more trigrams would select hardly fewer texts. */
const MAXIMUM_TRIGRAMS = 40
const TRIGRAM_LENGTH = 3

const TEXTS = 'case_text'
/** Numbers of the texts: a row of the full-text table has a number and no other key. */
const NUMBERS = 'case_text_number'

const numberOf = (row: 'new' | 'old') =>
  `(SELECT number FROM ${NUMBERS} WHERE tenant = ${row}.tenant AND case_id = ${row}.case_id)`
const insertion = `INSERT INTO ${TEXTS} (rowid, text) VALUES (${numberOf('new')}, new.text);`
const deletion = `INSERT INTO ${TEXTS} (${TEXTS}, rowid, text)
  VALUES ('delete', ${numberOf('old')}, old.text);`

/** Triggers, so that every write of a row is in the same transaction as that of its trigrams. */
const schemaFor = (rows: string) => `
  CREATE TABLE ${NUMBERS} (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    case_id TEXT NOT NULL,
    UNIQUE (tenant, case_id)
  ) STRICT;
  CREATE VIRTUAL TABLE ${TEXTS} USING fts5(
    text, content = '', detail = none, tokenize = 'trigram case_sensitive 1'
  );
  -- Trigrams of an erased case are removed at once, and not with a later merge.
  INSERT INTO ${TEXTS} (${TEXTS}, rank) VALUES ('secure-delete', 1);
  CREATE TRIGGER ${TEXTS}_inserted AFTER INSERT ON ${rows} BEGIN
    INSERT INTO ${NUMBERS} (tenant, case_id) VALUES (new.tenant, new.case_id);
    ${insertion}
  END;
  CREATE TRIGGER ${TEXTS}_updated AFTER UPDATE OF text ON ${rows} WHEN old.text <> new.text BEGIN
    ${deletion}
    ${insertion}
  END;
  CREATE TRIGGER ${TEXTS}_deleted AFTER DELETE ON ${rows} BEGIN
    ${deletion}
    DELETE FROM ${NUMBERS} WHERE tenant = old.tenant AND case_id = old.case_id;
  END;
  INSERT INTO ${NUMBERS} (tenant, case_id) SELECT tenant, case_id FROM ${rows};
  INSERT INTO ${TEXTS} (rowid, text)
    SELECT number, text FROM ${NUMBERS} JOIN ${rows} USING (tenant, case_id);
`

/** Creates the tables, and fills them with the texts of an earlier version. */
function createTexts(database: DatabaseSync, rows: string): void {
  const known = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(NUMBERS)
  if (!known) inTransaction(database, () => database.exec(schemaFor(rows)))
}

function trigramsOf(text: string): string[] {
  const characters = [...text]
  return characters
    .slice(0, 1 - TRIGRAM_LENGTH)
    .map((_, index) => characters.slice(index, index + TRIGRAM_LENGTH).join(''))
    .filter((trigram) => [...trigram].length === TRIGRAM_LENGTH)
}

/** @returns a query that every matching text fulfils; undefined: all words are too short */
function expressionOf({ words = [], email }: CaseFilter): string | undefined {
  const texts = [...words, ...(email === undefined ? [] : [`\n${email}\n`])]
  const trigrams = [...new Set(texts.flatMap(trigramsOf))].slice(0, MAXIMUM_TRIGRAMS)
  if (trigrams.length === 0) return undefined
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

/** A table of found rows, to put before a statement, and the value of its parameter. */
export interface FoundTexts {
  with: string
  table: string
  value: string
}

export class CaseTexts {
  readonly #rows: string
  readonly #count: StatementSync

  /** @param rows table with the columns tenant, case_id and text, which exists */
  constructor(database: DatabaseSync, rows: string) {
    this.#rows = rows
    createTexts(database, rows)
    this.#count = database.prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${TEXTS} WHERE ${TEXTS} MATCH ? LIMIT ?)`,
    )
  }

  /**
   * Finds the rows that can match a filter by its words; the words still have to be compared.
   *
   * @returns undefined when so many rows can match that reading them in order is faster
   */
  narrow(filter: CaseFilter): FoundTexts | undefined {
    const value = expressionOf(filter)
    if (value === undefined) return undefined
    const count = Number(this.#count.get(value, MAXIMUM_FOUND + 1)?.count)
    if (count > MAXIMUM_FOUND) return undefined
    const table = 'found_text'
    // CROSS JOIN: SQLite must begin with the trigrams.
    const join = `${TEXTS} CROSS JOIN ${NUMBERS} ON number = ${TEXTS}.rowid
      CROSS JOIN ${this.#rows} USING (tenant, case_id)`
    const select = `SELECT ${this.#rows}.* FROM ${join} WHERE ${TEXTS} MATCH ?`
    return { with: `WITH ${table} AS MATERIALIZED (${select})`, table, value }
  }
}
