import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import type { PriceFields } from '#shared/repricer/state.ts';
import { pathTo } from '#client/address.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import classes from './repricer.module.css';

/** Why prices wait although rules run: the fields that these read are being computed, or could not be. */
export function FieldsNotice({ masterid, fields }: { masterid: string; fields: PriceFields }) {
  const { kind, since, again, message } = fields;
  if (kind === 'ready') return null;
  if (kind === 'building')
    return (
      <div className="k-card" role="status">
        <ProgressBar
          label="Preisfelder werden berechnet: Preise dieses Katalogs warten so lange."
          done={0}
          total={0}
          words={since === null ? 'läuft' : `seit ${formatTime(since)}`}
        />
      </div>
    );
  const failure = {
    title: 'Preisfelder ließen sich nicht berechnen',
    message: message ?? 'Die Master-Regeln und Mappings dieses Katalogs ließen sich nicht ausrechnen.',
  };
  return (
    <ErrorNotice failure={failure}>
      <p>
        Bis das gelingt, wird kein Preis dieses Katalogs geändert. Es wird von selbst wieder versucht
        {again !== null && `, das nächste Mal am ${formatTime(again)}`}; wenn Sie eine Master-Regel oder ein Mapping
        speichern, sofort.
      </p>
      <p className={classes.ways}>
        <Link to={pathTo(pages.masterRules, { masterid })}>Regeln des Katalogs prüfen</Link>
        <Link to={pathTo(pages.mappings, { masterid })}>Mappings prüfen</Link>
      </p>
    </ErrorNotice>
  );
}
