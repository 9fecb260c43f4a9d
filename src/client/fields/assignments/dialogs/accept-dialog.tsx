import { Button, Modal, Slider } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatCount, formatInteger, formatPercent } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { isSure, type Suggested } from '#client/fields/assignments/lines/choices.ts';
import { conditionsOf, type Line, withTarget } from '#client/fields/assignments/lines/lines.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type AcceptDialogProps<L extends Line> = {
  lines: readonly L[];
  suggestionsOf: (line: L) => readonly Suggested[];
  onLines: (lines: L[]) => void;
  onClose: () => void;
};

const drawn = 200;

/** Lists all suggestions above a confidence limit before they are applied; single ones can be left out. */
export function AcceptDialog<L extends Line>({ lines, suggestionsOf, onLines, onClose }: AcceptDialogProps<L>) {
  useFocusBack();
  const [limit, setLimit] = useState(90);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const offered = useMemo(
    () =>
      lines.flatMap((line) => {
        const [best] = suggestionsOf(line);
        return best === undefined ? [] : [{ line, best }];
      }),
    [lines, suggestionsOf],
  );
  const above = offered
    .filter(({ best }) => isSure(best, limit))
    .toSorted((a, b) => a.best.confidence - b.best.confidence);
  const accepted = above.filter(({ line }) => !left.has(line.id));
  const toggle = (id: string) => setLeft((now) => (now.has(id) ? without(now, id) : new Set([...now, id])));
  const accept = () => {
    const targets = new Map(accepted.map(({ line, best }) => [line.id, best]));
    onLines(
      lines.map((line) => {
        const best = targets.get(line.id);
        return best === undefined ? line : withTarget(line, best);
      }),
    );
    onClose();
  };
  return (
    <Modal opened onClose={onClose} size={860} title={<span className="k-strong">Vorschläge übernehmen</span>}>
      <div className="k-stack">
        <p>
          {formatCount(offered.length, 'Zeile hat', 'Zeilen haben')} einen Vorschlag. Übernommen wird, was hier angehakt
          ist; gespeichert ist es erst, wenn Sie danach die ganze Zuordnung speichern.
        </p>
        <div>
          <p>Mindestens so sicher: {formatPercent(limit / 100)}</p>
          <Slider
            thumbLabel="Mindestens so sicher"
            min={20}
            max={99}
            value={limit}
            onChange={setLimit}
            label={null}
            color="var(--k-graphic)"
          />
        </div>
        <div style={{ maxHeight: '46vh', overflow: 'auto' }}>
          <ScrollRegion label="Vorschläge">
            <table className="k-table">
              <thead>
                <tr>
                  <th scope="col">
                    <span className="k-hidden">Übernehmen</span>
                  </th>
                  <th scope="col">Wert</th>
                  <th scope="col">Vorschlag</th>
                  <th scope="col" className="k-number">
                    Sicherheit
                  </th>
                  <th scope="col">Grund</th>
                </tr>
              </thead>
              <tbody>
                {above.slice(0, drawn).map(({ line, best }) => (
                  <tr key={line.id}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`${valueOf(line)}: ${best.name} übernehmen`}
                        checked={!left.has(line.id)}
                        onChange={() => toggle(line.id)}
                      />
                    </td>
                    <td>{valueOf(line)}</td>
                    <td>{best.name}</td>
                    <td className="k-number">{formatPercent(best.confidence)}</td>
                    <td className="k-muted">{best.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </div>
        {above.length > drawn && (
          <p className="k-muted">
            Gezeigt sind die {formatInteger(drawn)} unsichersten;{' '}
            {formatCount(above.length - drawn, 'weitere Zeile ist', 'weitere Zeilen sind')} sicherer.
          </p>
        )}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button disabled={accepted.length === 0} onClick={accept}>
            {formatCount(accepted.length, 'Vorschlag', 'Vorschläge')} übernehmen
          </Button>
        </div>
      </div>
    </Modal>
  );
}

const valueOf = (line: Line): string => conditionsOf(line)[0]?.value ?? '';

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...set].filter((other) => other !== id));
}
