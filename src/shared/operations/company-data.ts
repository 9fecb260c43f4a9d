import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok, runid } from '#shared/http/call-parts.ts';

/** Days that the archive of a company's data can be downloaded, and hours that its deletion can be called off. */
export const EXPORT_DAYS = 3;
export const DELETION_HOURS = 24;

/** The latest archive of all data of a company. */
export const CompanyExport = z
  .object({
    id: z.string(),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    /** Number of tables and files written, and their total. */
    progress: z.object({ done: z.number(), total: z.number() }),
    message: z.string().nullable(),
    orderedAt: z.iso.datetime(),
    bytes: z.number().nullable(),
    /** Until when it can be downloaded; null: it does not exist (any more). */
    until: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CompanyExport' });
export type CompanyExport = z.infer<typeof CompanyExport>;

/** A scheduled deletion of a company. */
export const CompanyDeletion = z
  .object({ askedBy: z.string(), askedAt: z.iso.datetime(), dueAt: z.iso.datetime() })
  .meta({ id: 'CompanyDeletion' });
export type CompanyDeletion = z.infer<typeof CompanyDeletion>;

export const companyDataCalls = {
  companyData: {
    method: 'GET',
    path: '/api/company/data',
    summary: 'Firmendaten: letztes Archiv, und ob die Firma gelöscht wird',
    access: 'enter',
    response: z.object({ export: CompanyExport.nullable(), deletion: CompanyDeletion.nullable() }),
  },
  exportCompany: {
    security: 'download',
    people: true,
    stepUp: true,
    method: 'POST',
    path: '/api/company/export',
    summary: 'Archiv aller Daten der Firma anlegen; nur der Inhaber',
    access: 'admin',
    response: z.object({ id }),
  },
  companyArchiveAddress: {
    security: 'download',
    people: true,
    stepUp: true,
    method: 'POST',
    path: '/api/company/export/{runid}/address',
    summary: 'Adresse, unter der das Archiv zehn Minuten lang abgeholt werden kann; nur der Inhaber',
    access: 'admin',
    params: runid,
    response: z.object({ path: z.string() }),
  },
  companyArchive: {
    security: 'download',
    people: true,
    method: 'GET',
    path: '/api/company/export/{runid}/archive',
    summary: 'Archiv aller Daten der Firma (tar); der Schlüssel kommt von der Adresse',
    access: 'admin',
    params: runid,
    query: z.object({ key: z.string().max(200).default('') }),
    mediaType: 'application/x-tar',
  },
  deleteCompany: {
    security: 'deletion',
    people: true,
    stepUp: true,
    method: 'POST',
    path: '/api/company/deletion',
    summary: 'Firma mit allen Daten löschen, in 24 Stunden; ihr Name wird zur Bestätigung mitgegeben; nur der Inhaber',
    access: 'admin',
    body: z.object({ name: z.string().max(200) }),
    response: CompanyDeletion,
  },
  keepCompany: {
    security: 'deletion',
    people: true,
    method: 'DELETE',
    path: '/api/company/deletion',
    summary: 'Die Löschung der Firma widerrufen',
    access: 'admin',
    response: Ok,
  },
} as const satisfies Record<string, Call>;
