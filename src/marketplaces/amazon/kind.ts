import { defineConnector } from '#marketplaces/connector-kind.ts';
import { amazonConnector } from './connector.ts';
import { readMessage } from './messages.ts';
import { AmazonSecrets, AmazonSettings, EU_API, groups, LWA_TOKEN, marketplaces } from './settings.ts';

/** Amazon's connector, as main.ts lists it. */
export const amazon = defineConnector({
  id: 'amazon',
  label: 'Amazon',
  marketplaces,
  sellerHelp: 'Bei Amazon „Händlertoken“, beginnt mit A.',
  groups,
  settings: AmazonSettings,
  secrets: AmazonSecrets,
  readMessage,
  connect: (deps, { marketplace, sellerId, currency, settings, secrets }) => {
    const { clientId, apiUrl, tokenUrl, queueUrl, queueKeyId } = settings;
    const { clientSecret, refreshToken, queueSecret } = secrets;
    return amazonConnector(deps, {
      marketplace,
      sellerId,
      currency,
      clientId,
      clientSecret,
      refreshToken,
      apiUrl: apiUrl === '' ? EU_API : apiUrl.replace(/\/+$/, ''),
      tokenUrl: tokenUrl === '' ? LWA_TOKEN : tokenUrl,
      queue: queueUrl === '' ? undefined : { url: queueUrl, keyId: queueKeyId, secret: queueSecret },
    });
  },
});
