import { api } from '#shared/http/api.ts';
import type { StoredFile } from '#shared/difference/schema.ts';
import { call } from '#client/call.ts';
import { KeptTable } from '#client/fields/runs/kept-table.tsx';
import { PutBack } from '#client/fields/runs/put-back.tsx';
import { heldWords } from '#client/fields/runs/run-words.ts';
import { Badge } from '#client/ui/badge.tsx';

type StoredFilesProps = { exportId: string; files: readonly StoredFile[]; mayRun: boolean; onChange: () => void };

/** DIF: the files of earlier runs. One that was in force can be served again; one that was held back needs its release. */
export function StoredFiles({ exportId, files, mayRun, onChange }: StoredFilesProps) {
  if (files.length < 2) return null;
  /** A file that was held back before this one was accepted can no longer be released. */
  const newest = Math.max(0, ...files.filter(({ held }) => held === null).map(({ number }) => number));
  const putBack = async (number: number, reason: string) => {
    await call(api.publishFile, { params: { id: exportId, number }, body: { reason } });
    onChange();
  };
  const stateOf = ({ number, live, gone, held, whole }: StoredFile) => {
    if (live) return <Badge tone="green">wird ausgeliefert</Badge>;
    if (held !== null) return <Past words={held === 'waiting' && number < newest ? 'überholt' : heldWords[held]} />;
    if (gone) return <Past words="aufgeräumt" />;
    if (!whole) return <Past words="nur Änderungen" />;
    if (!mayRun) return null;
    return (
      <PutBack
        action="Wieder ausliefern"
        name={`Datei ${number}`}
        explanation="Der Kanal bekommt ab sofort wieder diese Datei, bis der nächste Lauf eine neue erzeugt. Ist eine Übertragung eingerichtet, wird sie erneut übertragen."
        onPutBack={(reason) => putBack(number, reason)}
      />
    );
  };
  const rows = files.map((file) => ({ ...file, state: stateOf(file) }));
  return <KeptTable id="dateien" title="Aufbewahrte Dateien" names="Name" rows={rows} />;
}

const Past = ({ words }: { words: string }) => <span className="k-small k-muted">{words}</span>;
