import { Button, Menu, Switch } from '@mantine/core';
import IconAdjustments from 'virtual:icons/adjustments';
import IconBuilding from 'virtual:icons/building';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconDots from 'virtual:icons/dots';
import IconFlask from 'virtual:icons/flask';
import IconHandStop from 'virtual:icons/hand-stop';
import IconHistory from 'virtual:icons/history';
import IconPlayerPlay from 'virtual:icons/player-play';
import IconPower from 'virtual:icons/power';
import IconScale from 'virtual:icons/scale';
import { useState } from 'react';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ConfirmMovedLimits } from './changed-price-bounds.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { deactivatePath, type RepricerPlace } from '#client/screens/repricer/repricer-path.ts';
import classes from './control.module.css';
import { RestoreDialog } from './restore.tsx';
import { SafetyDialog } from './safety-dialog.tsx';
import { type Sending, type SendingFacts, sendingOf } from './sending.ts';
import { focusIds } from './use-dialog-action.ts';
import type { Switches } from './use-switches.ts';

type SwitchCardProps = { switches: Switches; facts: SendingFacts; mayEdit: boolean; place: RepricerPlace };
type OpenDialog = 'stop' | 'company' | 'limits' | 'restore' | 'safety' | null;

const icons = { red: IconHandStop, yellow: IconFlask, green: IconCircleCheck, gray: IconPower } as const;

/** Shows whether anything is sent, and if not, why; next to it the switches. */
export function SwitchCard({ switches, facts, mayEdit, place }: SwitchCardProps) {
  const [pending, setPending] = useState<OpenDialog>(null);
  const { state } = switches;
  return (
    <section id={focusIds.sending} className={`k-card ${classes.switches}`} aria-label="Senden" tabIndex={-1}>
      <div className={classes.sending} role="status">
        {sendingOf(state, facts).map(({ tone, text }: Sending) => (
          <Badge key={text} tone={tone} icon={icons[tone]}>
            {text}
          </Badge>
        ))}
      </div>
      {mayEdit && <Tools switches={switches} place={place} onAsk={setPending} />}
      {switches.failure !== null && (
        <div className={classes.wide}>
          <ErrorNotice failure={switches.failure} onClose={switches.closeFailure} />
        </div>
      )}
      <RestoreDialog
        masterid={place.masterid}
        opened={pending === 'restore'}
        before={state.breakers[0]?.trippedAt ?? null}
        switches={switches}
        onClose={() => setPending(null)}
      />
      <SafetyDialog masterid={place.masterid} opened={pending === 'safety'} onClose={() => setPending(null)} />
      <Questions switches={switches} pending={pending} onClose={() => setPending(null)} />
    </section>
  );
}

type ToolsProps = { switches: Switches; place: RepricerPlace; onAsk: (asked: OpenDialog) => void };

function Tools({ switches, place, onAsk }: ToolsProps) {
  const { state, busy, set } = switches;
  return (
    <div className={classes.switchtools}>
      {state.active ? (
        <Switch
          label="Probelauf"
          checked={state.dry_run}
          aria-busy={busy}
          // Moves only after the server has switched: it must not show that nothing is sent while something is.
          onChange={({ currentTarget }) => void set({ dry_run: currentTarget.checked })}
        />
      ) : (
        <Button
          leftSection={<IconPower size={16} aria-hidden />}
          loading={busy}
          onClick={() => void set({ active: true })}
        >
          Einschalten
        </Button>
      )}
      {state.company_stopped && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={busy}
          onClick={() => void switches.resumeCompany()}
        >
          Notaus der Firma aufheben
        </Button>
      )}
      {state.stopped ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={busy}
          onClick={() => void set({ stopped: false })}
        >
          Notaus aufheben
        </Button>
      ) : (
        <Button color="red.9" leftSection={<IconHandStop size={16} aria-hidden />} onClick={() => onAsk('stop')}>
          Notaus
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            Mehr
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!state.company_stopped && (
            <Menu.Item leftSection={<IconBuilding size={16} aria-hidden />} onClick={() => onAsk('company')}>
              Notaus für die ganze Firma …
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconScale size={16} aria-hidden />} onClick={() => onAsk('limits')}>
            Stark geänderte Preisgrenzen bestätigen …
          </Menu.Item>
          <Menu.Item leftSection={<IconAdjustments size={16} aria-hidden />} onClick={() => onAsk('safety')}>
            Sicherungen einstellen …
          </Menu.Item>
          {state.active && state.restore === null && (
            <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => onAsk('restore')}>
              Letzte gute Preise wiederherstellen …
            </Menu.Item>
          )}
          {state.active && (
            <Menu.Item component="a" href={deactivatePath(place)} leftSection={<IconPower size={16} aria-hidden />}>
              AddOn deaktivieren …
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function Questions({ switches, pending, onClose }: { switches: Switches; pending: OpenDialog; onClose: () => void }) {
  const { state, set, stopCompany } = switches;
  return (
    <>
      <ConfirmDialog
        opened={pending === 'stop'}
        question="Alle Preise dieses Katalogs anhalten?"
        confirm="Anhalten"
        danger
        onClose={onClose}
        onConfirm={async () => {
          await set({ stopped: true });
          onClose();
        }}
      >
        Ab sofort wird nichts mehr gesendet, auch nicht, was schon wartet. Preise, die der Marktplatz bereits angenommen
        hat, bleiben. {state.dry_run && 'Der Probelauf bleibt eingeschaltet.'}
      </ConfirmDialog>
      <ReasonDialog
        opened={pending === 'company'}
        switches={switches}
        question="Alle Preise der ganzen Firma anhalten?"
        confirm="Anhalten"
        danger
        onConfirm={stopCompany}
        onClose={onClose}
      >
        In keinem Katalog wird noch ein Preis gesendet, bis jemand das Notaus aufhebt.
      </ReasonDialog>
      <ConfirmMovedLimits opened={pending === 'limits'} switches={switches} onClose={onClose} />
    </>
  );
}
