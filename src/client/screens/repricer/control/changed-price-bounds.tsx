import { Alert, Button } from '@mantine/core';
import IconScale from 'virtual:icons/scale';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ChangedPriceBounds } from '#shared/repricer/state.ts';
import { useMarketplaceCurrency, useMarketplaceName } from '#client/marketplaces.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import classes from './control.module.css';
import type { Switches } from './use-switches.ts';

type MovedLimitsNoticeProps = { masterid: string; switches: Switches; mayEdit: boolean };

/**
 * Says how many offers are held because their limits moved further than the safety figures allow, shows the steepest of them, and
 * lets the user release them.
 */
export function MovedLimitsNotice({ masterid, switches, mayEdit }: MovedLimitsNoticeProps) {
  const [confirming, setConfirming] = useState(false);
  const changed = switches.state.moved_limits;
  // The dialog outlives the notice, which disappears when another user confirms first: typed text must not get lost.
  return (
    <>
      {changed !== null && (
        <Notice masterid={masterid} moved={changed} onAsk={mayEdit ? () => setConfirming(true) : undefined} />
      )}
      <ConfirmMovedLimits opened={confirming} switches={switches} onClose={() => setConfirming(false)} />
    </>
  );
}

type NoticeProps = { masterid: string; moved: ChangedPriceBounds; onAsk: (() => void) | undefined };

function Notice({ masterid, moved: { items, more, review, examples }, onAsk }: NoticeProps) {
  return (
    <Alert
      role="status"
      variant="outline"
      color="yellow.9"
      icon={<IconScale aria-hidden />}
      title={`${review === '' ? 'Stark geänderte' : 'Geänderte'} Preisgrenzen: ${more ? 'mindestens ' : ''}${formatCount(items, 'Angebot wartet', 'Angebote warten')} auf Ihre Prüfung`}
      classNames={{
        root: classes.notice,
        body: classes.noticebody,
        title: classes.noticetext,
        icon: classes.noticetext,
        message: classes.noticetext,
      }}
    >
      {review === '' ? (
        <p>
          Ihr Mindest- oder Maximalpreis hat sich seit dem letzten gesendeten Preis stärker geändert, als die
          Sicherungen erlauben. Diese Angebote behalten ihren Preis, bis jemand hingesehen hat.
        </p>
      ) : (
        <p>
          {review} Angebote, deren Mindest- oder Maximalpreis jetzt anders ist, behalten ihren Preis, bis jemand mit dem
          Recht „Preise“ hingesehen hat.
        </p>
      )}
      <Examples masterid={masterid} examples={examples} all={!more && examples.length === items} />
      {onAsk && (
        <Button size="xs" variant="default" style={{ marginTop: 8 }} onClick={onAsk}>
          Geprüft: neue Grenzen gelten …
        </Button>
      )}
    </Alert>
  );
}

type ExamplesProps = { masterid: string; examples: ChangedPriceBounds['examples']; all: boolean };

function Examples({ masterid, examples, all }: ExamplesProps) {
  const marketplaceName = useMarketplaceName();
  const currencyOf = useMarketplaceCurrency();
  if (examples.length === 0) return null;
  const several = new Set(examples.map(({ marketplace }) => marketplace)).size > 1;
  return (
    <ScrollRegion label="Geänderte Preisgrenzen" className={classes.movedlimits ?? ''}>
      <table>
        {!all && <caption>Die stärksten Änderungen</caption>}
        <thead>
          <tr>
            <th scope="col">Artikel</th>
            <th scope="col">Mindestpreis</th>
            <th scope="col">Maximalpreis</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ item, marketplace, old, now }) => (
            <tr key={`${marketplace} ${item}`}>
              <th scope="row">
                <Link to={pricePath(masterid, item)}>{item}</Link>
                {several && <span className="k-small"> · {marketplaceName(marketplace)}</span>}
              </th>
              <td>{changeOf(old.min_cents, now.min_cents, currencyOf(marketplace))}</td>
              <td>{changeOf(old.max_cents, now.max_cents, currencyOf(marketplace))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const changeOf = (from: number, to: number, currency: string): string =>
  from === to ? `${moneyText(to, currency)} (wie bisher)` : `${moneyText(from, currency)} → ${moneyText(to, currency)}`;

type ConfirmChangedPriceBoundsProps = { opened: boolean; switches: Switches; onClose: () => void };

/** Confirms strongly moved limits; opened by the notice and by the menu. */
export function ConfirmMovedLimits({ opened, switches, onClose }: ConfirmChangedPriceBoundsProps) {
  const version = switches.state.limits_version;
  // The limits' version when the dialog opened; the state is polled while the user types.
  const [pending, setPending] = useState<string | null>(null);
  if (opened && pending === null) setPending(version);
  if (!opened && pending !== null) setPending(null);
  return (
    <ReasonDialog
      opened={opened}
      switches={switches}
      question="Geänderte Preisgrenzen bestätigen?"
      confirm="Neue Grenzen gelten"
      onConfirm={(reason) => switches.confirmLimits(pending ?? version, reason)}
      onClose={onClose}
    >
      {pending !== null && pending !== version && (
        <strong>
          Die Grenzen haben sich inzwischen noch einmal geändert. Bitte schließen Sie diese Frage und sehen Sie sich die
          heutigen an.{' '}
        </strong>
      )}
      Artikel, deren Preisgrenzen sich stärker geändert haben, als die Sicherungen erlauben, werden angehalten, bis
      jemand hingesehen hat. Danach wird über alle Artikel neu entschieden und wieder gesendet. Bestätigen Sie nur, wenn
      die Grenzen des heutigen Standes stimmen; die nächste Änderung fragt wieder.
    </ReasonDialog>
  );
}
