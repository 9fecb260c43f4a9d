import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { MailCard } from './mail-card.tsx';
import { WebhookList } from './webhook-list.tsx';

/** Loads nothing for users who are not administrators. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { permissions } = await ask(api.session);
  if (!permissions.includes('admin')) return null;
  const [mail, { webhooks }, { deliveries }] = await Promise.all([
    ask(api.mailSettings),
    ask(api.webhooks),
    ask(api.deliveries),
  ]);
  return { mail, webhooks, deliveries };
}

/** How members are notified outside of Kontor. */
export default function NotificationSettings() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader
        title="Benachrichtigungen einstellen"
        lead="Was schiefgeht oder auf Sie wartet, steht immer in Kontor. Hier legen Sie fest, wer es auch draußen erfährt."
      />
      {loaded === null ? (
        <p className="k-card">E-Mail und Webhooks verwalten nur Inhaber und Administratoren.</p>
      ) : (
        <>
          <MailCard state={loaded.mail} />
          <WebhookList webhooks={loaded.webhooks} />
          <DeliveryLog deliveries={loaded.deliveries} />
        </>
      )}
    </div>
  );
}
