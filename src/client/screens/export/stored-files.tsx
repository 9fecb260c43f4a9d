import { api } from '#shared/http/api.ts';
import type { StoredFile } from '#shared/difference/schema.ts';
import { call } from '#client/call.ts';
import { PutBack } from '#client/fields/runs/put-back.tsx';
import { heldWords } from '#client/fields/runs/run-words.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

type StoredFilesProps = { exportId: string; files: readonly StoredFile[]; mayRun: boolean; onChange: () => void };

/** DIF: the files of earlier runs. One that was in force can be served again; one that was held back needs its release. */
export function StoredFiles({ exportId, files, mayRun, onChange }: StoredFilesProps) {
  if (files.length < 2) return null;
  /** A file that was held back before this one was accepted can no longer be released. */
  const newest = Math.max(0, ...files.filter(({ held }) => held === null).map(({ number }) => number));
  return (
    <section className="k-card k-stack" aria-labelledby="dateien">
      <h2 id="dateien">Aufbewahrte Dateien</h2>
      <ScrollRegion label="Aufbewahrte Dateien">
        <table className="k-table k-table-stacks">
          <thead>
            <tr>
              <th scope="col" className="k-number">
                Nummer
              </th>
              <th scope="col">Zeit</th>
              <th scope="col" className="k-number">
                Artikel
              </th>
              <th scope="col">Name</th>
              <th scope="col">
                <span className="k-hidden">Zustand</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ number, createdAt, items, name, live, gone, held, whole }) => (
              <tr key={number}>
                <td className="k-number" data-title="Nummer">
                  {number}
                </td>
                <td style={{ whiteSpace: 'nowrap' }} data-title="Zeit">
                  {formatTime(createdAt)}
                </td>
                <td className="k-number" data-title="Artikel">
                  {formatInteger(items)}
                </td>
                <td style={{ overflowWrap: 'anywhere' }} data-title="Name">
                  {name}
                </td>
                <td>
                  {live ? (
                    <Badge tone="green">wird ausgeliefert</Badge>
                  ) : held !== null ? (
                    <span className="k-small k-muted">
                      {held === 'waiting' && number < newest ? 'überholt' : heldWords[held]}
                    </span>
                  ) : gone ? (
                    <span className="k-small k-muted">aufgeräumt</span>
                  ) : !whole ? (
                    <span className="k-small k-muted">nur Änderungen</span>
                  ) : (
                    mayRun && (
                      <PutBack
                        action="Wieder ausliefern"
                        name={`Datei ${number}`}
                        explanation="Der Kanal bekommt ab sofort wieder diese Datei, bis der nächste Lauf eine neue erzeugt. Ist eine Übertragung eingerichtet, wird sie erneut übertragen."
                        onPutBack={async (reason) => {
                          await call(api.publishFile, { params: { id: exportId, number }, body: { reason } });
                          onChange();
                        }}
                      />
                    )
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
