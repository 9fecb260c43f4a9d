import { Link } from 'react-router';
import type { RuleEffect, ValueChange } from '#shared/rules/effect.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { WordDiffText } from '#client/ui/text/word-diff-text.tsx';
import IconBan from 'virtual:icons/ban';
import classes from './effect-panel.module.css';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';

type EffectSamplesProps = {
  scope: RuleScope;
  masterid: string;
  samples: RuleEffect['samples'];
  /** Number of items that the rule matches. */
  total: number;
};

/** Fields shown of a sample; a rule may read a hundred. */
const mostFields = 8;

/** Sample items before and after, with changed words marked; the item number links to the explanation of its values. */
export function EffectSamples({ scope, masterid, samples, total }: EffectSamplesProps) {
  return (
    <div>
      <h3 className={classes.title}>
        Beispiele{' '}
        <span className="k-muted">
          {samples.length} von {formatInteger(total)}
        </span>
      </h3>
      <ol className={classes.samples}>
        {samples.map(({ id, title, excluded, fields }) => (
          <li key={id} data-excluded={excluded || undefined}>
            <div className={classes.item}>
              <Link
                to={explainPath(masterid, id, { exportId: scope.kind === 'export' ? scope.id : null })}
                title="Woher die Werte dieses Artikels kommen"
              >
                {id}
              </Link>
              <span className={classes.itemtitle}>{excluded ? <del>{title}</del> : title}</span>
              {excluded && (
                <Badge tone="red" icon={IconBan}>
                  ausgeschlossen
                </Badge>
              )}
            </div>
            <dl className={classes.values}>
              {fields.slice(0, mostFields).map((change) => (
                <Value key={change.field} change={change} excluded={excluded} />
              ))}
            </dl>
            {fields.length > mostFields && (
              <p className="k-muted k-small">
                und {formatCount(fields.length - mostFields, 'weiteres Feld', 'weitere Felder')}
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Value({ change: { field, before, after }, excluded }: { change: ValueChange; excluded: boolean }) {
  const same = before === after || excluded;
  const text = <WordDiffText before={before} after={excluded ? before : after} />;
  return (
    <div data-same={same || undefined}>
      <dt>{field}</dt>
      <dd>{excluded && before !== null ? <del>{text}</del> : text}</dd>
    </div>
  );
}
