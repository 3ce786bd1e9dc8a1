/**
 * Every rule of the protocol that an implementation must keep, with an id. A test cites the rules it shows in its
 * title, in brackets: `[R-2.1-same-bytes]`. `requirements.test.ts` fails for a rule that no test cites and for a
 * citation of a rule that is not here.
 */
export const REQUIREMENTS = {
  // 1. Roles and rooms
  'R-1-isolation': 'No event, answer or notification crosses from one office to another.',
  'R-1-one-agent': 'An office that has an Agent refuses a second one.',
  'R-1-agent-stays': 'An Agent does not move to another office without leaving.',
  'R-1-computer-moves':
    'A Computer that joins another office leaves the old one first, once the new join is certain to succeed.',
  'R-1-unique-names': 'Computer names are unique within an office, and looked up inside the caller’s office.',
  'R-1-name-form':
    'office_id and name are 1–256 characters, not blank, without control characters, otherwise any Unicode.',
  'R-1-role-fixed': 'The role of a connection is fixed by its first join.',
  'R-1-no-credentials': 'Secrets and resolved inputs never appear in any event, answer, error, log or tool list.',

  // 2. Transport and handshake
  'R-2-namespace': 'The namespace is /smcp; the path is /socket.io/ by default and configurable.',
  'R-2-polling-first': 'Clients start with polling and upgrade to WebSocket; they never default to WebSocket only.',
  'R-2-version-in-url': 'Clients put their own a2c_version in the URL query, over one that is already there.',
  'R-2-auth-role': 'Clients send auth.role; the Server does not require it, but it must be valid and match the join.',
  'R-2-refused-auth': 'A refused connection gets CONNECT_ERROR { message, data: { code, message } } and is closed.',
  'R-2.1-every-session':
    'The version is checked on every request that opens a session, polling and direct WebSocket upgrade.',
  'R-2.1-before-handlers':
    'The version check stands before any Socket.IO handler; one that throws does not disable it.',
  'R-2.1-missing': 'An absent or empty version is HTTP 400 with the text of the table.',
  'R-2.1-invalid':
    'A version given twice or not exactly MAJOR.MINOR.PATCH is HTTP 400 with the value, cut at 64 characters.',
  'R-2.1-incompatible': 'An incompatible version is HTTP 400 with X-A2C-Error-Code: 4008 and the body of §5.3.',
  'R-2.1-same-bytes': 'The answers are application/json with a correct Content-Length, the same bytes on both paths.',
  'R-2.1-header-only-4008': 'Only 4008 sets X-A2C-Error-Code, and browsers may read it through CORS.',
  'R-2.1-rules':
    'MAJOR equal; while MAJOR is 0, MINOR equal; from 1.0 client MINOR at most the Server’s; PATCH never matters.',
  'R-2.1-kept': 'The version is kept in the session and shown by list_room.',
  'R-2.2-version-error': 'On 4008 the client reads the body, disconnects, and rejects with ProtocolVersionError.',
  'R-2.2-no-retry': 'The client never retries a 4008 silently.',
  'R-2.2-header-decides': 'When the body cannot be read, the header decides.',
  'R-2.2-own-form': 'Any other connect error keeps its own form.',

  // 3. Events
  'R-3-ack-empty': 'Where the table shows no ack and the sender asks for one, it gets an empty ack or a flat error.',
  'R-3-unknown-event': 'Unknown events get 400.',
  'R-3-notify-from-client': 'notify:* from a client gets 403 and is not passed on; clients refuse to emit it.',
  'R-3-before-join': 'Before the join every server:* event but join_office, and every client:* event, gets 4103.',
  'R-3-depth': 'Payloads nest at most 128 deep; deeper ones are 400.',
  'R-3-proto-data': 'Keys such as __proto__ inside params are data and pass through.',
  'R-3.1-order': 'client:* is checked in the order joined, role, schema, name.',
  'R-3.1-unknown-fields': 'Requests may carry unknown fields, which are forwarded.',
  'R-3.1-unchanged':
    'The payload is forwarded and the ack returned unchanged, in number of arguments and attachments too.',
  'R-3.1-agent-not-believed':
    'The agent field is not believed: a differing one is logged and the session’s name counts.',
  'R-3.1-tool_call': 'client:tool_call reaches the Computer and its result comes back.',
  'R-3.1-get_tools': 'client:get_tools answers { tools, req_id }.',
  'R-3.1-get_config': 'client:get_config answers { inputs?, servers }.',
  'R-3.1-get_desktop': 'client:get_desktop answers { desktops, req_id }.',
  'R-3.1-get_resources': 'client:get_resources answers { resources, next_cursor?, req_id }.',
  'R-3.1-get_dpe': 'client:get_dpe answers { uri, mime_type?, size?, req_id }.',
  'R-3.2-order': 'server:* is checked in the order joined, role, schema.',
  'R-3.2-join': 'server:join_office answers two arguments and tells the others.',
  'R-3.2-leave': 'server:leave_office answers two arguments, tells the others, then leaves.',
  'R-3.2-update_config': 'server:update_config becomes notify:update_config.',
  'R-3.2-update_tool_list': 'server:update_tool_list becomes notify:update_tool_list.',
  'R-3.2-update_desktop': 'server:update_desktop becomes notify:update_desktop.',
  'R-3.2-tool_call_cancel': 'server:tool_call_cancel becomes notify:tool_call_cancel.',
  'R-3.2-list_room': 'server:list_room answers every member as SessionInfo.',
  'R-3.2-rejoin-same': 'Joining the same office again under the same name is true, null without a notice.',
  'R-3.2-rename':
    'Joining the same office under a new name gives leave and enter notices; the old name is free at once.',
  'R-3.2-own-office': 'Leaving uses the session’s own office; another one, or none, is false.',
  'R-3.2-reasons': 'Reasons are sentences that end with their code.',
  'R-3.2-tools-and-config':
    'update_tool_list and update_config are both sent, once each, per real change; the Agent makes one fetch.',
  'R-3.3-not-sender': 'Notices go to everyone in the office but the sender.',
  'R-3.3-one-name': 'Enter and leave notices carry exactly one of computer and agent.',
  'R-3.3-session-identity': 'Identities in broadcasts come from the sender’s session.',
  'R-3.3-leave-first': 'Leave is sent before the member is out, also on disconnect, on a move and on shutdown.',
  'R-3.4-desktop': 'On update_desktop the Agent fetches the desktop, if the application asked for it.',
  'R-3.4-agent-catalogue':
    'The Agent fetches tools on enter, forgets on leave, fetches again on updates; an empty list is news.',
  'R-3.4-discovery': 'On its own join the Agent discovers the Computers already there.',
  'R-3.4-rejoin': 'After a transport reconnect both join again; a refused rejoin is retried for 60 s, then reported.',
  'R-3.4-first-join': 'A refused first join is an error at once.',
  'R-3.4-no-eviction': 'The Server never evicts a live member.',
  'R-3.4-cancel': 'The Computer cancels the running call with that req_id; unknown ids are ignored.',

  // 4. Names that carry data
  'R-4.1-tool-shape': 'SMCPTool has name, string description, params_schema, return_schema (null if none), meta.',
  'R-4.1-alias-name': 'The name is the alias if one is set, else the MCP tool’s own.',
  'R-4.1-flat-meta': 'meta values are flat; anything else is a JSON string; a2c_tool_meta is never spread.',
  'R-4.2-uri-grammar': 'Window and DPE URIs are split by hand as the grammar says.',
  'R-4.2-lenient-parse': 'Parsing drops a query or fragment with a WARN.',
  'R-4.2-strict-build': 'Building refuses query, fragment and dot segments.',
  'R-4.2-no-fallback': 'Values in a query are never read.',
  'R-4.2-string-as-given': 'getDpe sends the string it is given.',
  'R-4.3-absent-null': 'Absent, null, a missing container and invalid values mean the same thing.',
  'R-4.3-resource-metadata': 'Producers put MCP fields in annotations and A2C’s own in _meta.',

  // 5. Errors
  'R-5.2-flat': 'An error ack is one flat object; readers accept the wrapped form too.',
  'R-5.2-no-leak': 'details hold no secrets, addresses, stack traces or other members’ sid.',
  'R-5.2-always-answered':
    'No event with an ack is left unanswered; failed validation is 400 at once, naming the field.',
  'R-5.2-not-joined': 'Not joined yet: 4103.',
  'R-5.2-wrong-role': 'Wrong role for the event: 403.',
  'R-5.2-unknown-computer': 'A Computer name unknown in the office: 404 that names it.',
  'R-5.2-cross-room': 'list_room for another office: 4104.',
  'R-5.2-dropped': 'The Computer disconnects during the call: 404 at once.',
  'R-5.2-late': 'The Computer does not answer in time: 408.',
  'R-5.2-resources-404': 'get_resources of an MCP server that is not registered: 404 with mcp_server_name.',
  'R-5.2-resources-4015': 'get_resources of one without resources: 4015 with mcp_server_name and capability.',
  'R-5.2-resources-down': 'get_resources of one that is not running, or fails: 500; that times out: 408.',
  'R-5.2-answer-limit': 'get_tools, get_config and get_resources answers above the limit: 500 with size and limit.',
  'R-5.2-packet-limit':
    'A packet over the limit ends its sender’s connection only; our clients check before they send.',
  'R-5.2-join-outcome': 'Join and leave answer malformed payloads with their two arguments.',
  'R-5.3-body': 'The 4008 body has the six fields of §5.3.',

  // 6. Tool calls
  'R-6.1-wire-shape': 'A result has content, isError, structuredContent? and meta at result level.',
  'R-6.1-as-it-came': 'An upstream result passes as it came, isError ones too, without a code of ours.',
  'R-6.1-own-failure':
    'A failure of the Computer is a result with isError, a text and meta.error_code, never an error ack.',
  'R-6.1-too-large': 'An answer above the packet limit becomes isError 4003 with both sizes.',
  'R-6.1-no-content': 'An upstream answer without content is a failure.',
  'R-6.1-readers': 'Readers accept meta and _meta at every level, and nulls for absent fields.',
  'R-6.2-range': 'timeout is an integer 1..3600; anything else is 400; 60 by default; milliseconds are rounded up.',
  'R-6.2-computer': 'The Computer stops the tool at timeout and answers 4004 with a2c_timeout.',
  'R-6.2-server': 'The Server waits timeout + 5 s, then answers 408.',
  'R-6.2-agent':
    'The Agent waits 2 s longer, cancels, and returns isError with timeout and a2c_timeout; also for a 408.',
  'R-6.3-cancel': 'Cancel aborts the call, tells the MCP server, and answers a2c_cancelled.',
  'R-6.3-harmless': 'Cancelling twice or an unknown id does nothing; two running calls with one id both end.',
  'R-6.3-agent-gone': 'When the Agent leaves or drops, its calls run on and their answers are dropped.',
  'R-6.4-confirmation':
    'Without auto_apply a call needs the confirmation callback; all four outcomes give 4005 with their own text.',
  'R-6.4-budget': 'The wait for confirmation counts against the budget; its expiry is 4005, not 4004.',
  'R-6.4-faq-text': 'The missing callback gives the text of the FAQ.',
  'R-6.5-required': 'No credentials or HTTP 401: 4006.',
  'R-6.5-failed': 'HTTP 403, failed refresh, insufficient scope: 4007.',
  'R-6.5-provider-down': 'Provider 5xx or network failure: 4003.',
  'R-6.5-meta': 'The result has error_code and mcp_server, and a hint without secrets.',

  // 7. Computer configuration
  'R-7.1-defaults': 'Server configurations have the defaults of §7.1; durations are ISO 8601 or seconds.',
  'R-7.1-disabled': 'A disabled server is not started.',
  'R-7.1-forbidden': 'A forbidden tool is neither listed nor callable (4002).',
  'R-7.1-masking': 'get_config shows the unresolved configuration with literals that may be secrets masked.',
  'R-7.1-name-key': 'The key in servers is the name; a differing name inside is an error.',
  'R-7.2-placeholders': '${input:ID} stands in any string below server_parameters; exactly one takes the value’s type.',
  'R-7.2-sources': 'Inputs come from environment, prompt, default, in this order, and are cached.',
  'R-7.2-failure': 'Unknown ids and failing resolutions stop that server’s start only.',
  'R-7.3-merge': 'Tool metadata merge shallowly; null keeps the default; an empty outcome is left out.',
  'R-7.3-conflict': 'Of two tools with one exposed name the later server’s is left out, with a diagnostic about alias.',
  'R-7.4-script': 'vrl is run on a result after the call, and checked when the configuration is loaded.',
  'R-7.4-event':
    'The event is the result plus tool_name and parameters; its outcome is JSON in meta.a2c_vrl_transformed.',
  'R-7.4-failure': 'A script that fails at run time only warns; content is untouched.',
  'R-7.4-compile': 'A script that does not compile stops its server’s start only.',

  // 8. Resources
  'R-8.1-subscribe': 'Only MCP servers with resources.subscribe take part in the desktop; all pages are read.',
  'R-8.1-window': 'window chooses the windows whose listed URI or shown text equals it; none is not an error.',
  'R-8.1-left-out': 'Other schemes, unparsable URIs, windows without content or with only blobs are left out.',
  'R-8.1-order': 'Servers by most recent call in this office, then by name; windows by priority, stable.',
  'R-8.1-fullscreen': 'A server with a fullscreen window shows only the first of them.',
  'R-8.1-size': 'desktop_size cuts; null means all, 0 and less none.',
  'R-8.1-text': 'An entry is the listed URI cut at ? or #, a blank line, and the texts.',
  'R-8.1-truncated': 'An answer above the packet limit is cut at a window boundary with a marker.',
  'R-8.1-updates': 'update_desktop is sent when the set of window URIs changes or a window is updated.',
  'R-8.2-transparent': 'get_resources is a transparent page, unchanged but for mime_type beside mimeType.',
  'R-8.3-invalid-uri': 'Not a DPE URI, or one with a fragment: 4012 with uri and reason; a query is cut with a WARN.',
  'R-8.3-no-resolver': 'No resolver: 4011 with uri, never the content.',
  'R-8.3-routing': 'The MCP server is found by host; several: the first registered with a WARN; none: 4013.',
  'R-8.3-upstream': 'A failing read is 4013 upstream_unavailable; empty contents invalid_content.',
  'R-8.3-resolver': 'A throw or timeout is resolver_error; no absolute URI is resolver_returned_invalid.',
  'R-8.3-shared-host': 'A host that two MCP servers share is a WARN naming both and the host; registration succeeds.',
  'R-8.3-never-content': 'Document content never travels over Socket.IO.',
  'R-8.4-discovery': 'Documents are found through get_config, all pages of get_resources, and the Agent’s own filter.',
  'R-8.4-fetch': 'http(s) and file fetchers are built in, others can be registered.',
  'R-8.4-file-allowed': 'file: is fetched only where the application allows it; by default with a Server on loopback.',
  'R-8.4-ask-again': 'On failure or expiry get_dpe is asked again.',
  'R-8.4-session': 'URIs are never kept beyond the session: until leave or disconnect.',
  'R-8.5-inline-wins': 'A page has elements or the URI of a manifest that yields them; inline wins.',
  'R-8.5-writer':
    'Writers give every field that is not optional: doc_ref, uri, pages; page_index; element_id, category, text.',
  'R-8.5-reader': 'Readers of documents require only pages; unknown categories read as text; unknown fields are kept.',
  'R-8.5-categories': 'There are 19 standard categories.',
} as const;
