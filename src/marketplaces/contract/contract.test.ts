import { markets } from '../../../test/stages/markets.ts';
import { connectorContract } from './contract.ts';

for (const [name, open] of markets) connectorContract(name, open);
