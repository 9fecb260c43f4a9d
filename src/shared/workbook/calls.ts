import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';

export const workbookCalls = {
  readWorkbook: {
    method: 'POST',
    path: '/api/workbook',
    summary:
      'Das größte sichtbare Tabellenblatt einer Arbeitsmappe (.xlsx, .xls, .ods) als CSV, oder die einzige Tabelle eines ZIP-Archivs; multipart mit file. Gespeichert wird nichts',
    access: 'read',
    upload: { form: z.object({ file: z.file() }) },
    response: z.object({
      sheet: z.string(),
      text: z.string(),
      notes: z.array(z.string()).describe('Hinweise, zum Beispiel auf ausgeblendete Zeilen'),
      others: z.array(z.string()).describe('Namen der übrigen Tabellenblätter mit Daten'),
    }),
  },
} satisfies Record<string, Call>;
