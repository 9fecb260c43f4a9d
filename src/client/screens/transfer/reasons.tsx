import { Button } from '@mantine/core';
import { useState } from 'react';
import { MAX_REASONS } from '#shared/transfer/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import type { Place } from './transfer-grid.tsx';
import classes from './transfer.module.css';
import { useReasons } from './use-transfer.ts';

/** Reasons shown at first; a button shows the others. */
const FEW = 8;

type ReasonsProps = { place: Place; version: number; chosen: string; onChoose: (reason: string) => void };

/** Why items were refused, the most frequent reason first; choosing one filters the list. */
export function Reasons({ place, version, chosen, onChoose }: ReasonsProps) {
  const { answer, failure } = useReasons(place.id, version);
  const [all, setAll] = useState(false);
  if (failure !== null) return <ErrorNotice failure={failure} />;
  if (answer === null || (answer.length === 0 && chosen === '')) return null;
  const shown = all ? answer : answer.filter(({ key }, index) => index < FEW || key === chosen);
  return (
    <section className="k-card k-stack" aria-labelledby="gruende">
      <div className="k-between">
        <h2 id="gruende">Gründe</h2>
        {chosen !== '' && (
          <Button size="xs" variant="default" onClick={() => onChoose('')}>
            Alle Gründe zeigen
          </Button>
        )}
      </div>
      <p className="k-muted k-small">Ein Grund, den Sie wählen, lässt in der Liste nur seine Artikel stehen.</p>
      <ul className={classes.reasons}>
        {shown.map(({ key, field, sentence, items }) => (
          <li key={key}>
            <button
              type="button"
              className={classes.reason}
              aria-pressed={key === chosen}
              onClick={() => onChoose(key === chosen ? '' : key)}
            >
              <span className={classes.count}>{formatCount(items, 'Artikel', 'Artikel')}</span>
              <span>
                {field !== '' && !sentence.includes(field) && <code>{field}: </code>}
                {sentence}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!all && shown.length < answer.length && (
        <div>
          <Button size="xs" variant="subtle" onClick={() => setAll(true)}>
            {formatInteger(answer.length - shown.length)} seltenere zeigen
          </Button>
        </div>
      )}
      {answer.length === MAX_REASONS && (
        <p className="k-muted k-small">Gezeigt werden die {formatInteger(MAX_REASONS)} häufigsten Gründe.</p>
      )}
    </section>
  );
}
