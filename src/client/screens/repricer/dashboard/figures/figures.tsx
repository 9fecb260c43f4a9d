import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { RepricerFigures } from '#shared/repricer/dashboard.ts';
import { heldLabel } from '#shared/repricer/held.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import figureClasses from '#client/ui/figures/figures.module.css';
import { formatCount, formatInteger, formatPercent } from '#client/ui/text/formats.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import type { ArticlesOf } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import type { NamedSeller } from '#client/screens/repricer/dashboard/sellers/seller-rows.ts';
import { AsOf } from '#client/screens/repricer/dashboard/statistic-frame.tsx';
import { repricerPath } from '#client/screens/repricer/repricer-path.ts';
import { endsByItself, shareOf } from './figure-words.ts';
import { useFigures } from './use-figures.ts';

/** Competitors listed with the most buy boxes; more are in the table of competitors. */
const MOST_RIVALS = 5;
/** Reasons that are spelled out. */
const MOST_REASONS = 2;

const titles = {
  box: 'BuyBox jetzt',
  time: 'BuyBox als Anteil der Zeit',
  lowest: 'Artikel am Mindestpreis',
  held: 'Angehaltene Preise',
} as const;

type FiguresProps = {
  masterid: string;
  sellerId: string;
  today: string;
  /** Competitors; null: not loaded yet. */
  sellers: readonly NamedSeller[] | null;
  onList: (of: ArticlesOf) => void;
};

/** The key figures, each with its meaning and time of data. */
export function Figures({ masterid, sellerId, today, sellers, onList }: FiguresProps) {
  const { figures, busy, failure, retry, reload } = useFigures(masterid, sellerId);
  return (
    <section className="k-stack" aria-labelledby="ueberblick">
      <div className={`k-between ${classes.head}`}>
        <h2 id="ueberblick">Auf einen Blick</h2>
        {figures !== null && <AsOf at={figures.at} onReload={reload} />}
      </div>
      <ErrorNotice failure={failure} onRetry={retry} />
      <div className={figureClasses.figures} aria-busy={busy}>
        {figures === null ? (
          Object.values(titles).map((title) => (
            <Card key={title} title={title} value="–">
              {busy && 'Lade Zahlen …'}
            </Card>
          ))
        ) : (
          <Cards {...{ masterid, figures, today }} />
        )}
        <Losses sellers={sellers} onList={onList} />
      </div>
    </section>
  );
}

function Cards({ masterid, figures, today }: { masterid: string; figures: RepricerFigures; today: string }) {
  const { offers, known, box, nobody, limited, at_minimum: lowest, held, box_time: days } = figures;
  const heldPrices = held.reduce((sum, { count }) => sum + count, 0);
  const [now, week] = [shareOf(days.filter(({ date }) => date === today)), shareOf(days)];
  return (
    <>
      <Card title={titles.box} value={percentText(known === 0 ? null : box / known)}>
        {formatInteger(box)} von {formatCount(known, 'Angebot', 'Angeboten')} mit bekanntem Stand
        {nobody > 0 && `; in ${formatInteger(nobody)} hat sie niemand`}.
        {offers > known && ` Von ${formatInteger(offers - known)} weiteren ist noch nichts bekannt.`}
      </Card>
      <Card title={titles.time} value={percentText(now)}>
        Heute bis jetzt; in den letzten 7 Tagen {percentText(week)}. Stündlich gesehen; ein Stand gilt höchstens 24
        Stunden.
      </Card>
      <Card title={titles.lowest} value={formatInteger(lowest)}>
        von {formatCount(limited, 'Artikel', 'Artikeln')} mit Preisgrenze: ihr Preis liegt jetzt am Mindestpreis ihrer
        letzten Entscheidung.
      </Card>
      <Card title={titles.held} value={formatInteger(heldPrices)}>
        {heldPrices === 0 ? (
          'Kein errechneter Preis wartet.'
        ) : (
          <>
            Letzte Entscheidung nicht gesendet: {heldText(held)}.{' '}
            {endsByItself(held) ? (
              'Darüber wird von selbst neu entschieden; freizugeben ist nichts.'
            ) : (
              <>
                <Link to={repricerPath(masterid)}>Im Repricer ansehen und freigeben</Link>. Eine Freigabe kann für viele
                Preise gelten.
              </>
            )}
          </>
        )}
      </Card>
    </>
  );
}

const percentText = (share: number | null) => (share === null ? '–' : formatPercent(share));

function heldText(held: RepricerFigures['held']): string {
  const named = held
    .slice(0, MOST_REASONS)
    .map(({ reason, count }) => `${heldLabel(reason)} (${formatInteger(count)})`);
  const others = held.slice(MOST_REASONS).reduce((sum, { count }) => sum + count, 0);
  return [...named, ...(others > 0 ? [`andere Gründe (${formatInteger(others)})`] : [])].join(', ');
}

function Card({ title, value, children }: { title: string; value: string; children: ReactNode }) {
  return (
    <div className={figureClasses.figure}>
      <h3 className={figureClasses.label}>{title}</h3>
      <p className={figureClasses.value}>{value}</p>
      <p className="k-muted k-small">{children}</p>
    </div>
  );
}

/** The competitors that hold the most buy boxes instead of us. */
function Losses({ sellers, onList }: Pick<FiguresProps, 'sellers' | 'onList'>) {
  const first = (sellers ?? [])
    .filter(({ buybox_count }) => buybox_count > 0)
    .toSorted((one, other) => other.buybox_count - one.buybox_count)
    .slice(0, MOST_RIVALS);
  return (
    <div className={`${figureClasses.figure} ${classes.losses}`}>
      <h3 className={figureClasses.label}>Wo verlieren Sie die BuyBox, und an wen?</h3>
      {sellers !== null && first.length === 0 && (
        <p className="k-muted k-small">In keinem Ihrer Artikel hält ein anderer Händler die BuyBox.</p>
      )}
      <ol className={classes.rivals}>
        {first.map(({ _id, comp_seller_id: id, name, buybox_count: boxes }) => (
          <li key={_id}>
            <button type="button" className={classes.rival} onClick={() => onList({ kind: 'competitor', id })}>
              {name === '' ? id : name}
            </button>
            <span>{formatCount(boxes, 'Artikel', 'Artikel')}</span>
          </li>
        ))}
      </ol>
      {first.length > 0 && (
        <p className="k-muted k-small">
          Artikel, in denen dieser Händler jetzt die BuyBox hält; bis zu einer Minute alt.
        </p>
      )}
    </div>
  );
}
