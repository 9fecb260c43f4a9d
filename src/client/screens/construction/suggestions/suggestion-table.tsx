import { Button } from '@mantine/core';
import type { SourceSuggestion } from '#shared/construction/schema.ts';
import { valueHeading } from '#shared/values/schema.ts';
import { Badge, type BadgeTone } from '#client/ui/badge.tsx';
import { formatFilled, formatPercent } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './suggestions.module.css';
import type { Offer } from './suggestions.ts';

type SuggestionTableProps = {
  label: string;
  /** The verb of the button in each row. */
  action: string;
  offers: readonly Offer[];
  onTake: (offer: Offer) => void;
};

/** Suggested sources for each field, with confidence, reason and sample values. */
export function SuggestionTable({ label, action, offers, onTake }: SuggestionTableProps) {
  return (
    <ScrollRegion label={label} className={classes.region}>
      <table className={`k-table ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Ausgabefeld</th>
            <th scope="col">Vorschlag</th>
            <th scope="col">Sicherheit und Grund</th>
            <th scope="col" className="k-number">
              Gefüllt
            </th>
            <th scope="col">Beispiele</th>
            <th scope="col">
              <span className="k-hidden">{action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <SuggestionRow key={offer.row.id} offer={offer} action={action} onTake={() => onTake(offer)} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SuggestionRow({ offer, action, onTake }: { offer: Offer; action: string; onTake: () => void }) {
  const { row, found } = offer;
  const [best] = found;
  if (best === undefined) return null;
  const title = row.fieldCaption === '' ? row.exportfield : row.fieldCaption;
  return (
    <tr>
      <th scope="row" className={classes.target}>
        {title}
        {title !== row.exportfield && <code>{row.exportfield}</code>}
      </th>
      <td>
        {found.map((one) => (
          <SourceName key={`${one.part.type} ${one.part.value}`} part={one.part} />
        ))}
      </td>
      <td className={classes.reason}>
        <Badge tone={toneOf(best.confidence)}>{formatPercent(best.confidence)}</Badge> {best.reason}
      </td>
      <td className="k-number">{formatFilled(best.coverage)}</td>
      <td>
        <ul className={classes.examples}>
          {best.examples.map((text) => (
            <li key={text} title={text}>
              {text}
            </li>
          ))}
        </ul>
      </td>
      <td className={classes.action}>
        <Button
          size="xs"
          variant="default"
          aria-label={`${title}: ${wordsOf(found)} ${verbOf(action)}`}
          onClick={onTake}
        >
          {action}
        </Button>
      </td>
    </tr>
  );
}

function SourceName({ part: { type, value, caption } }: Pick<SourceSuggestion, 'part'>) {
  const name = caption === '' ? value : caption;
  const fixed = type === '_string' || type === '_default';
  return (
    <div className={classes.source}>
      {fixed ? `„${value}“` : name}
      {type !== '_field' && <span className="k-muted">{fixed ? 'fester Wert' : valueHeading(type)}</span>}
    </div>
  );
}

const toneOf = (confidence: number): BadgeTone => (confidence >= 0.8 ? 'green' : confidence >= 0.6 ? 'yellow' : 'gray');
const verbOf = (action: string): string => action.toLowerCase();
const wordsOf = (found: readonly SourceSuggestion[]): string => found.map(({ part }) => part.value).join(', ');
