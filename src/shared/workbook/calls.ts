import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';

export const workbookCalls = {
  readWorkbook: {
    method: 'POST',
    path: '/api/workbook',
    summary:
      'Die sichtbaren Tabellenblätter einer Arbeitsmappe (.xlsx, .xls, .ods) als CSV, das größte zuerst; multipart mit file. Gespeichert wird nichts',
    access: 'read',
    upload: { form: z.object({ file: z.file() }) },
    response: z.object({ sheets: z.array(z.object({ sheet: z.string(), text: z.string() })) }),
  },
} satisfies Record<string, Call>;
