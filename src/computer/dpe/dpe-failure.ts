import { ErrorCode, ProtocolError, type DpeFailureCategory } from '../../protocol/index.js';

/** 4013: the document could not be resolved. Protocol §8.3. */
export function resolutionFailed(uri: string, category: DpeFailureCategory, reason: string): ProtocolError {
  const message = `The document could not be resolved: ${reason}`;
  return new ProtocolError(ErrorCode.DpeResolutionFailed, message, { uri, reason, category });
}

/** 4012: not a DPE URI. Protocol §8.3. */
export function invalidDpeUri(uri: string, reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidDpeUri, `Not a valid DPE URI: ${reason}`, { uri, reason });
}

/** 4011: the application registered no resolver. Protocol §8.3. */
export function noResolver(uri: string): ProtocolError {
  const message = 'This Computer has no document resolver; its application must register one';
  return new ProtocolError(ErrorCode.DpeResolverNotConfigured, message, { uri });
}
