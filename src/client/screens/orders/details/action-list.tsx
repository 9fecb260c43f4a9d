import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { OrderAction } from '#shared/orders/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useMay } from '#client/shell/session.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import { actionMark, actionTitle, answerTexts } from './action-words.ts';
import classes from './details.module.css';
import { ResolveForm } from './resolve-form.tsx';

/** Our actions on the order, each with its state. */
export function ActionList({ actions, currency }: { actions: readonly OrderAction[]; currency: string }) {
  if (actions.length === 0) return <p className="k-muted">Von hier wurde noch nichts veranlasst.</p>;
  return (
    <ul className={classes.list}>
      {actions.map((action) => (
        <ActionEntry key={action.id} action={action} currency={currency} />
      ))}
    </ul>
  );
}

function ActionEntry({ action, currency }: { action: OrderAction; currency: string }) {
  const { id, state, withdrawable, created_by: by, created_at: at, ended_at: endedAt } = action;
  const mayOrders = useMay('orders');
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      await call(api.withdrawAction, { params: { id } });
    } catch (error) {
      setFailure(failureOf('Fehler beim Abbrechen', error));
    }
    await revalidate();
  });
  const { tone, text } = actionMark(action);
  return (
    <li className={classes.entry}>
      <div className="k-between">
        <span className="k-strong">{actionTitle(action, currency)}</span>
        <span className="k-row">
          <Badge tone={tone} {...(tone === 'red' || tone === 'yellow' ? { icon: IconAlertTriangle } : {})}>
            {text}
          </Badge>
          {withdrawable && (
            <Button size="compact-xs" variant="default" loading={busy} onClick={start}>
              zurückziehen
            </Button>
          )}
        </span>
      </div>
      <p className="k-muted k-small">
        {by}, {formatTime(at)}
        {endedAt !== null && ` · beendet ${formatTime(endedAt)}`}
      </p>
      {answerTexts(action).map((text) => (
        <p key={text} className="k-small">
          {text}
        </p>
      ))}
      {action.resolution !== '' && <p className="k-small">Geklärt von {action.resolution}</p>}
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {mayOrders && state === 'unclear' && <ResolveForm id={id} onDone={() => void revalidate()} />}
    </li>
  );
}
