import type { InstallationUse } from '#shared/operations/installation-use.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatBytes, formatPercent } from '#client/ui/text/formats.ts';

/** Free share below which the disk counts as nearly full. */
const SCARCE = 0.1;

/** Sizes and versions. */
export function Machine({ use: { database, disk, store, program, node } }: { use: InstallationUse }) {
  const share = disk.total === 0 ? 1 : disk.free / disk.total;
  const facts = [
    [
      'Datenbank',
      `${formatBytes(database.bytes)}, ${database.embedded ? 'eingebaut' : 'Server'} (PostgreSQL ${database.version})`,
    ],
    ['Dateien', filesOf(store)],
    ['Platte', `${formatBytes(disk.free)} von ${formatBytes(disk.total)} frei (${formatPercent(share)})`],
    ['Kontor', program],
    ['Node', node],
  ] as const;
  return (
    <section className="k-card k-stack" aria-labelledby="rechner">
      <h2 id="rechner">Speicher und Fassungen</h2>
      {store.refusal !== null && (
        <p>
          <strong>Der Dateispeicher antwortet nicht.</strong> Importe und Exporte warten oder scheitern; Dateien, die
          hier als Kopie liegen, werden weiter ausgeliefert. {store.refusal}
        </p>
      )}
      {share < SCARCE && (
        <p>
          <strong>Die Platte ist fast voll.</strong> Ist sie es ganz, scheitern Importe und Exporte; was gilt, bleibt.
        </p>
      )}
      <ScrollRegion label="Speicher und Fassungen">
        <table className="k-table">
          <tbody>
            {facts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

const filesOf = ({ place, refusal }: InstallationUse['store']): string => {
  if (place === '') return 'im Datenordner';
  return refusal === null ? `in ${place}, erreichbar` : `in ${place}, nicht erreichbar`;
};
