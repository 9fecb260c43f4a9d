import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { readUploaded } from '#platform/http/bodies/read-uploaded.ts';
import { uploadedFile } from '#platform/http/bodies/uploaded-file.ts';
import type { WorkbookDeps } from '#platform/http/bodies/workbook-upload.ts';
import { route } from '#platform/http/server.ts';

const file = { mostBytes: 20 * 1024 * 1024, tooLarge: 'Die Datei ist größer als 20 MB. Bitte teilen Sie sie.' };

/** For pages that read tables themselves: they cannot read workbooks. */
export function workbookRoutes(app: FastifyInstance, { workbookReader }: WorkbookDeps): void {
  route(app, api.readWorkbook, async ({ principal, request, signal }) => {
    const { bytes } = await uploadedFile(request, file);
    return { sheets: await readUploaded(workbookReader, bytes, principal, signal) };
  });
}
