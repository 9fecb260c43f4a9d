import IconInfoCircle from 'virtual:icons/info-circle';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { changeSpans, usualChangeSpan } from '#shared/repricer/rule-change.ts';
import { pathTo } from '#client/address.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { asking } from '#client/loading.ts';
import { PrintHead } from '#client/shell/print-head.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import pills from '#client/ui/figures/pills.module.css';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatRange } from '#client/ui/text/days.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { changeRows, doubts, soldOf } from './change-rows.ts';
import classes from './change.module.css';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { masterid = '', number = '' } = args.params;
  const wanted = Number(new URL(args.request.url).searchParams.get('tage'));
  const days = changeSpans.find((span) => span === wanted) ?? usualChangeSpan;
  const [change, { channels }, { permissions }] = await Promise.all([
    ask(api.ruleChange, { params: { masterid, number: Number(number) }, query: { days } }),
    ask(api.marketplaceChannels),
    ask(api.session),
  ]);
  const own = new Set(channels.filter((channel) => channel.masterid === masterid).map(({ id }) => id));
  if (change.spans === null || !permissions.includes('orders')) return { masterid, days, change, sold: null };
  const [before, after] = await Promise.all([
    ask(api.orderStatistic, { body: change.spans.before }),
    ask(api.orderStatistic, { body: change.spans.after }),
  ]);
  return { masterid, days, change, sold: { before: soldOf(before, own), after: soldOf(after, own) } };
}

/** Compares the time before and after a save of the repricing rules. */
export default function RuleChangePage() {
  const { masterid, days, change } = useLoaderData<typeof loader>();
  const { spans, changes } = change;
  return (
    <div className="k-stack">
      <PrintHead />
      <PageHeader
        title={`Davor und danach · Stand ${change.revision}`}
        lead={`Repricing-Regeln, gespeichert am ${formatTime(change.at)} von ${change.author}.`}
        actions={<HistoryLink subject="repricer" scope={`master:${masterid}`} />}
      />
      <section className="k-card" aria-labelledby="geaendert">
        <h2 id="geaendert">Was sich an den Regeln änderte</h2>
        <ul className={classes.changes}>
          {changes.map((sentence, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two sentences may be equal, and none ever moves
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      </section>
      <nav className={pills.pills} aria-label="Wie viele Tage auf jeder Seite">
        {changeSpans.map((span) => (
          <Link
            key={span}
            to={`${pathTo(pages.ruleChange, { masterid, number: String(change.revision) })}?tage=${span}`}
            preventScrollReset
            className={pills.pill}
            aria-current={span === days ? 'page' : undefined}
          >
            {span} Tage
          </Link>
        ))}
      </nav>
      {spans === null ? (
        <EmptyState title="Noch kein voller Tag seit der Änderung">
          <p>Verglichen werden volle Tage. Der erste Vergleich steht hier am übernächsten Tag.</p>
        </EmptyState>
      ) : (
        <Comparison />
      )}
    </div>
  );
}

function Comparison() {
  const { days, change, sold } = useLoaderData<typeof loader>();
  if (change.spans === null) return null;
  const { before, after } = change.spans;
  const unsure = doubts(change, days);
  return (
    <section className="k-stack" aria-labelledby="vergleich" style={{ minWidth: 0 }}>
      <h2 id="vergleich">Vergleich</h2>
      {unsure.length > 0 && (
        <div className={classes.doubts} role="note">
          <p className="k-strong">
            <IconInfoCircle size={16} aria-hidden /> Mit Vorsicht zu lesen
          </p>
          <ul>
            {unsure.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      <ScrollRegion label="Vergleich davor und danach" className={classes.scroll ?? ''}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Kennzahl</th>
              <th scope="col" className="k-number">
                davor
                <span className={classes.days}>{formatRange(before)}</span>
              </th>
              <th scope="col" className="k-number">
                danach
                <span className={classes.days}>{formatRange(after)}</span>
              </th>
              <th scope="col" className="k-number">
                Unterschied
              </th>
            </tr>
          </thead>
          <tbody>
            {changeRows(change, sold).map((row) => (
              <tr key={row.label}>
                <th scope="row">
                  {row.label}
                  <span className={classes.days}>{row.note}</span>
                </th>
                <td className="k-number">{row.before}</td>
                <td className="k-number">{row.after}</td>
                <td className="k-number">{row.difference}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="k-muted k-small">
        Ein Vergleich, kein Beweis: Wettbewerber, Saison und Ihr Bestand ändern sich auch ohne diese Regel. Beide Seiten
        haben gleich viele volle Tage in Berlin; der Tag der Änderung zählt auf keiner.{' '}
        {change.narrowed
          ? 'Preise und Mindestpreis zählen Artikel, die eine der geänderten Regeln auf einer der Seiten entschieden hat, jeden einmal.'
          : 'Preise und Mindestpreis zählen alle Artikel des Katalogs, da sich nur die Reihenfolge änderte.'}
      </p>
    </section>
  );
}
