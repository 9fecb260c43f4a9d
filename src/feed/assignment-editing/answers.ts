import { titleField } from '#catalogue/titles/title-field.ts';
import { countTable, fieldValues, openItems } from '#feed/plan/assignment-items.ts';
import { fetchingPlace, placeAmong, type TablePlans } from '#feed/plan/places.ts';
import type { Calculator } from '#platform/duckdb/connection.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Answers } from '#platform/duckdb/tasks.ts';
import { unprocessable } from '#platform/errors.ts';
import { readBody } from '#platform/http/bodies/read-body.ts';
import { assignmentCalls } from '#shared/assignments/calls.ts';
import { ASSIGNMENT_LIMITS } from '#shared/assignments/schema.ts';
import { integerText } from '#shared/values/integer-text.ts';

/** A request with the plans it needs. The body stays unparsed: a hundred thousand rows take a second to read and to compile. */
export type AssignmentQuestion = { readonly places: TablePlans; readonly body: Uint8Array };
export type MissingQuestion = AssignmentQuestion & {
  /** The first id for the new rows; the others count up from it (GEN-02). */
  readonly firstId: number;
};

/** Computes answers about rows of assignments in the process that reads their items. */
export const answers = {
  countRows: (calculator: Calculator, { places, body }: AssignmentQuestion, signal: AbortSignal) => {
    const { rows, ...place } = readBody(assignmentCalls.countRows, body);
    return countTable(new DuckDb(calculator), placeAmong(places, place), rows, signal);
  },

  openItems: (calculator: Calculator, { places, body }: AssignmentQuestion, signal: AbortSignal) => {
    const { rows, row, field, type, value, offset, limit, ...table } = readBody(assignmentCalls.openItems, body);
    const place = placeAmong(places, table);
    const title = titleField(place.plan.snapshot.fields);
    const question = { rows, row, source: { type, value: field }, title, value, offset, limit };
    return openItems(new DuckDb(calculator), place, question, signal);
  },

  missingRows: async (calculator: Calculator, { places, body, firstId }: MissingQuestion, signal: AbortSignal) => {
    const { field, type, preData, limit } = readBody(assignmentCalls.missingRows, body);
    // MAP-03, CAT-08: without a field there are no rows.
    if (field === '') return [];
    const existing = new Set(preData.filter((row) => row.field === field).map(({ value }) => value.toLowerCase()));
    const source = { type, value: field };
    const calculations = new DuckDb(calculator);
    const found = await fieldValues(calculations, fetchingPlace(places), source, limit + existing.size, signal);
    const { tooLong } = found;
    const values = found.values.filter(({ value }) => !existing.has(value.toLowerCase()) && value.trim() !== '');
    if (values.length === 0 && tooLong > 0) throw unprocessable('values_too_long', tooLongText(tooLong));
    return values.slice(0, limit).map(({ value, items }, index) => ({
      id: String(firstId + index),
      field: [{ type, value: field, caption: field }],
      filter: 'is_equal' as const,
      value,
      target: '',
      catname: '',
      active: true,
      items,
      tooLong,
    }));
  },
} satisfies Answers;

const tooLongText = (tooLong: number): string =>
  `Dieses Feld hat keinen weiteren Wert, der in eine Zeile passt: ${tooLong === 1 ? 'Einer ist' : `${integerText(tooLong)} sind`} länger als ${integerText(ASSIGNMENT_LIMITS.value)} Zeichen. Es wurde keine Zeile angehängt. Bitte wählen Sie ein anderes Feld oder legen Sie Zeilen mit „enthält“ von Hand an.`;
