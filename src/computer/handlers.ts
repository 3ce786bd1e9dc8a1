import type { IncomingHandler } from '../client/index.js';
import {
  checkPayload,
  handleCall,
  jsonByteLength,
  NOTICE_EVENTS,
  readIncoming,
  type CallEvent,
  type CallToolResult,
  type GetDpeRequest,
  type JsonObject,
  type Logger,
  type McpServerConfig,
  type McpServerInput,
  type Payload,
  type ProtocolProfile,
  type SmcpTool,
  type ToolCallRequest,
} from '../protocol/index.js';
import { answerBytes, assertFits, fittingAnswer, isSendable } from './answer-size.js';
import { maskServerConfig } from './config/mask-config.js';
import { maskInput } from './config/mask-input.js';
import { cutToLimit } from './desktop/cut-to-limit.js';
import type { DesktopQuery } from './desktop/desktop.js';
import { resolutionFailed } from './dpe/dpe-failure.js';
import { getResources, type GetResourcesContext } from './get-resources.js';
import { messageOf } from './hosting.js';
import { ToolAnswers } from './tool-answers.js';

/** What the handlers ask of a Computer. */
export interface HandlerContext {
  readonly logger: Logger;
  readonly profile: ProtocolProfile;
  /** The largest answer that can be sent now, in bytes. */
  readonly maxAnswerBytes: () => number;
  readonly executeTool: (request: ToolCallRequest) => Promise<CallToolResult>;
  readonly cancelTool: (reqId: string) => void;
  readonly tools: () => readonly SmcpTool[];
  /** Unresolved, in order. */
  readonly configs: () => readonly McpServerConfig[];
  /** Unresolved, in order. */
  readonly inputs: () => readonly McpServerInput[];
  readonly collectDesktop: (query: DesktopQuery) => Promise<readonly string[]>;
  readonly resources: Omit<GetResourcesContext, 'profile'>;
  readonly getDpe: (request: GetDpeRequest) => Promise<JsonObject>;
}

/** What takes handlers of events: a connection to the Server. */
export interface HandlerTarget {
  handle(event: string, handler: IncomingHandler): void;
}

type Acts = { readonly [E in CallEvent]: (request: Payload<E>) => object | Promise<object> };

/** Answers every `client:*` event, and heeds the cancelling of calls. Protocol §3.1, §3.4. */
export function registerHandlers(target: HandlerTarget, context: HandlerContext): void {
  const acts = actsOf(context);
  for (const event of Object.keys(acts) as CallEvent[]) {
    const act = acts[event] as (request: Payload<CallEvent>) => object | Promise<object>;
    target.handle(event, (args) => {
      void handleCall(event, args, act, (error) => {
        context.logger.error({ event, problem: messageOf(error) }, 'An event could not be answered');
      });
    });
  }
  target.handle('notify:tool_call_cancel', (args) => {
    takeCancel(args, context);
  });
}

function actsOf(context: HandlerContext): Acts {
  const fitting = <A extends object>(event: CallEvent, answer: A): A =>
    fittingAnswer(event, answer, context.maxAnswerBytes());
  const resources = { ...context.resources, profile: context.profile };
  const toolAnswers = new ToolAnswers(context.logger);
  return {
    'client:tool_call': (request) => context.executeTool(request),
    'client:get_tools': ({ req_id }) => {
      const { tools, size } = toolAnswers.of(context.tools());
      assertFits('client:get_tools', size + jsonByteLength(req_id), context.maxAnswerBytes());
      return { tools, req_id };
    },
    'client:get_config': ({ req_id }) => fitting('client:get_config', { ...shownConfig(context), req_id }),
    'client:get_desktop': async ({ desktop_size: size, window, req_id }) => {
      const desktops = await context.collectDesktop({ size, window });
      const sizeOf = (entries: readonly string[]): number => answerBytes({ desktops: entries, req_id });
      return { desktops: cutToLimit(desktops, sizeOf, context.maxAnswerBytes()), req_id };
    },
    'client:get_resources': async (request) => fitting('client:get_resources', await getResources(request, resources)),
    'client:get_dpe': async (request) => {
      const answer = await context.getDpe(request);
      if (isSendable(answer, context.maxAnswerBytes())) return answer;
      throw resolutionFailed(request.uri, 'resolver_returned_invalid', 'what the resolver returned cannot be sent');
    },
  };
}

/** Unresolved, with what may be secret masked. Protocol §7.1. */
function shownConfig({ configs, inputs, resources }: HandlerContext): object {
  const shownInputs = inputs().map((input) => maskInput(input, resources.redact));
  return {
    servers: Object.fromEntries(configs().map((config) => [config.name, maskServerConfig(config)])),
    inputs: shownInputs.length === 0 ? null : shownInputs,
  };
}

function takeCancel(args: readonly unknown[], { cancelTool, logger }: HandlerContext): void {
  try {
    const notice = checkPayload(NOTICE_EVENTS['notify:tool_call_cancel'].payload, readIncoming(args).payload);
    cancelTool(notice.req_id);
  } catch (error) {
    logger.warn({ problem: messageOf(error) }, 'A notice to cancel a call cannot be read');
  }
}
