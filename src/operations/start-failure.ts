import { z } from 'zod';
import type { Config } from '#platform/config.ts';

const SystemFailure = z.object({ code: z.string(), path: z.string().optional() });
const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

type Settings = Pick<Config, 'port' | 'databaseUrl' | 'dataFolder'>;

/** Says why the program could not start, and what to do. `config`: undefined if a setting is invalid. */
export function startFailure(error: unknown, config: Settings | undefined): string {
  const text = error instanceof Error ? error.message : String(error);
  const { code = '', path } = SystemFailure.safeParse(error).data ?? {};
  if (config === undefined) return text;
  if (code === 'EADDRINUSE')
    return `Der Port ${config.port} ist schon belegt, vielleicht von einem zweiten Kontor. Bitte beenden Sie das andere Programm, oder wählen Sie mit PORT einen anderen Port.`;
  if (code === 'EACCES' && text.startsWith('listen'))
    return `Den Port ${config.port} darf nur der Verwalter des Rechners benutzen. Bitte wählen Sie mit PORT einen Port über 1023.`;
  if (config.databaseUrl !== undefined && unreachable.includes(code))
    return `Der Datenbankserver aus DATABASE_URL ist nicht zu erreichen (${code}). Bitte prüfen Sie die Adresse, und ob er läuft.`;
  return (path === undefined ? undefined : diskFailure(code, path, config)) ?? text;
}

function diskFailure(code: string, path: string, { dataFolder }: Settings): string | undefined {
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `Der Ordner ${path} lässt sich nicht anlegen: Er selbst oder einer, in dem er liegen soll, ist eine Datei. Bitte verschieben Sie diese Datei, oder wählen Sie mit KONTOR_DATA einen anderen Datenordner als ${dataFolder}.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `Kontor darf ${path} nicht lesen oder nicht schreiben (${code}). Bitte geben Sie dem Benutzer, unter dem Kontor läuft, die Rechte dafür, oder wählen Sie mit KONTOR_DATA einen anderen Datenordner als ${dataFolder}.`;
  if (code === 'ENOSPC')
    return `Auf dem Datenträger von ${path} ist kein Platz mehr. Bitte schaffen Sie Platz und starten Sie noch einmal.`;
  return undefined;
}
