import { z } from 'zod';
import type { Config } from '#platform/config.ts';

const SystemFailure = z.object({ code: z.string() });
const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** Says why the program could not start, and what to do. `config`: undefined if a setting is invalid. */
export function startFailure(error: unknown, config: Pick<Config, 'port' | 'databaseUrl'> | undefined): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = SystemFailure.safeParse(error).data?.code ?? '';
  if (config === undefined) return text;
  if (code === 'EADDRINUSE')
    return `Der Port ${config.port} ist schon belegt, vielleicht von einem zweiten Kontor. Bitte beenden Sie das andere Programm, oder wählen Sie mit PORT einen anderen Port.`;
  if (code === 'EACCES' && text.startsWith('listen'))
    return `Den Port ${config.port} darf nur der Verwalter des Rechners benutzen. Bitte wählen Sie mit PORT einen Port über 1023.`;
  if (config.databaseUrl !== undefined && unreachable.includes(code))
    return `Der Datenbankserver aus DATABASE_URL ist nicht zu erreichen (${code}). Bitte prüfen Sie die Adresse, und ob er läuft.`;
  return text;
}
