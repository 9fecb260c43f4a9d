import { Alert, Button } from '@mantine/core';
import IconShoppingCartExclamation from 'virtual:icons/shopping-cart-exclamation';
import { useState } from 'react';
import { Link } from 'react-router';
import type { RepricerState } from '#shared/repricer/state.ts';
import { useMarketplaceName } from '#client/marketplaces.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import classes from './control.module.css';
import { focusIds } from './use-dialog-action.ts';
import type { Switches } from './use-switches.ts';

type ItemAlarmsProps = { masterid: string; switches: Switches; mayEdit: boolean };
type Listed = RepricerState['alarms'][number];

/** Items that sold far too well after their price was lowered: each is held until a user has checked its price. */
export function ItemAlarms({ masterid, switches, mayEdit }: ItemAlarmsProps) {
  const [pending, setPending] = useState<readonly Listed[]>([]);
  const [confirming, setConfirming] = useState(false);
  const ask = (alarms: readonly Listed[]) => {
    setPending(alarms);
    setConfirming(true);
  };
  return (
    <>
      {switches.state.alarms_total > 0 && (
        <Held masterid={masterid} state={switches.state} onAsk={mayEdit ? ask : undefined} />
      )}
      <ReasonDialog
        opened={confirming}
        switches={switches}
        question={
          pending.length === 1
            ? `Artikel ${pending[0]?.item ?? ''} freigeben?`
            : `${formatInteger(pending.length)} Artikel freigeben?`
        }
        confirm="Freigeben"
        onConfirm={(reason) =>
          switches.releaseItems(
            pending.map(({ id }) => id),
            reason,
          )
        }
        onClose={() => setConfirming(false)}
      >
        Danach wird sofort neu entschieden und wieder gesendet. Der heutige Preis gilt damit als geprüft: einen Tag lang
        löst nur ein noch niedrigerer den Alarm wieder aus.
      </ReasonDialog>
    </>
  );
}

type HeldProps = { masterid: string; state: RepricerState; onAsk: ((alarms: readonly Listed[]) => void) | undefined };

function Held({ masterid, state: { alarms, alarms_total: total }, onAsk }: HeldProps) {
  const marketplaceName = useMarketplaceName();
  const marketplaces = new Set(alarms.map(({ marketplace }) => marketplace));
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red.9"
      icon={<IconShoppingCartExclamation aria-hidden />}
      title={`Verkaufsalarm: ${formatCount(total, 'Artikel', 'Artikel')} angehalten`}
      classNames={{
        root: classes.alarm,
        title: classes.alarmtext,
        icon: classes.alarmtext,
        message: classes.alarmtext,
      }}
    >
      <p>
        Nach einer Preissenkung kamen ungewöhnlich viele Bestellungen. Der Preis beim Marktplatz bleibt, wie er ist:
        Prüfen Sie, ob er stimmt, und berichtigen Sie sonst zuerst Regel oder Preisgrenzen.
      </p>
      <ul id={focusIds.heldItems} className={classes.helditems} aria-label="Angehaltene Artikel" tabIndex={-1}>
        {alarms.map((alarm) => (
          <li key={alarm.id}>
            <span>
              <Link to={pricePath(masterid, alarm.item)}>{alarm.item}</Link>
              {marketplaces.size > 1 && ` (${marketplaceName(alarm.marketplace)})`}: {alarm.details}{' '}
              <time className="k-small" dateTime={alarm.trippedAt}>
                {formatTime(alarm.trippedAt)}
              </time>
            </span>
            {onAsk && (
              <Button
                size="compact-sm"
                color="red.9"
                aria-label={`Artikel ${alarm.item} freigeben`}
                onClick={() => onAsk([alarm])}
              >
                Freigeben
              </Button>
            )}
          </li>
        ))}
      </ul>
      {total > alarms.length && <p>… und {formatInteger(total - alarms.length)} weitere.</p>}
      {onAsk && alarms.length > 1 && (
        <Button size="xs" variant="default" style={{ marginTop: 8 }} onClick={() => onAsk(alarms)}>
          {total > alarms.length ? `Diese ${alarms.length} freigeben …` : 'Alle freigeben …'}
        </Button>
      )}
    </Alert>
  );
}
