import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import type { Line } from './lines.ts';

/** A table of a catalogue or export; `mapping` is the id of a mapping. */
export type TableOf = { id: string; table: ExportTable | 'mapping'; mapping?: string };

/** Loads how many items each row wins, for the rows as they are in the form. */
export function useCounts(table: TableOf, lines: readonly Line[], enabled = true) {
  const question = useMemo(() => ({ lines }), [lines]);
  return useLive(
    question,
    (signal) => {
      const { id, ...body } = table;
      return call(api.countRows, { params: { id }, body: { ...body, rows: [...lines] }, signal });
    },
    { delay: 500, enabled },
  );
}
export type Counts = ReturnType<typeof useCounts>;
