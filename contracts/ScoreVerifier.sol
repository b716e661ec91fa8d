// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/**
 * @title Accepts signed scores of Firn on chain
 * @notice Deploy it as it is, or let your own contract inherit from it and call `accept` where a
 * user has to prove a score. The service has to sign for the address of this contract: it is part
 * of what is signed, as the chain is, so no score can be carried to another contract or chain.
 * @dev The caller is taken from `_msgSender()`: a contract that also inherits from OpenZeppelin's
 * `ERC2771Context` accepts scores that a subject sends through a relayer.
 */
contract ScoreVerifier is EIP712, Ownable2Step {
    /// @notice What the service signs, field by field.
    struct ScoreAttestation {
        address subject;
        uint256 score;
        uint256 humanity;
        uint8 tier;
        bool verifiedHuman;
        uint256 issuedAt;
        uint256 expiresAt;
        uint256 nonce;
    }

    /// @notice EIP-712 hash of the signed type.
    bytes32 public constant SCORE_ATTESTATION_TYPEHASH = keccak256(
        "ScoreAttestation(address subject,uint256 score,uint256 humanity,uint8 tier,"
        "bool verifiedHuman,uint256 issuedAt,uint256 expiresAt,uint256 nonce)"
    );

    /// @notice Time between the adding of a signer and its first accepted signature, in which
    /// users can see it come and an owner whose key was stolen can revoke it.
    uint256 public constant SIGNER_DELAY = 2 days;

    /// @notice Time between the start of an ownership transfer and its earliest acceptance, in
    /// which the owner can cancel it.
    uint256 public constant OWNER_DELAY = SIGNER_DELAY;

    /// @notice How far the clock of the service may be ahead of the chain's.
    uint256 public constant CLOCK_SKEW = 1 minutes;

    /// @notice The longest time from `issuedAt` to `expiresAt` that is accepted.
    uint256 public constant MAX_LIFETIME = 7 days;

    /// @notice Nonces are the microseconds since 1970 at which the service signed. A signed nonce
    /// of a later time would make all attestations before that time unusable.
    uint256 public constant NONCES_PER_SECOND = 1_000_000;

    uint256 private constant REVOKED = type(uint256).max;

    /// @notice From when on the signatures of a signer are accepted, in seconds since 1970: 0 for
    /// an address that is none, the highest number of all for one that was revoked.
    mapping(address signer => uint256) public activeFrom;

    /// @notice The nonce of the last attestation of a subject that was accepted.
    mapping(address subject => uint256) public lastNonce;

    /// @notice From when on the pending owner can accept the ownership, in seconds since 1970: 0
    /// if no transfer is pending.
    uint256 public ownershipFrom;

    /// @notice A signer was added; its signatures are accepted from `from` on.
    event SignerAdded(address indexed signer, uint256 from);
    /// @notice A signer was revoked, for good.
    event SignerRevoked(address indexed signer);
    /// @notice A score was accepted.
    event ScoreAccepted(
        address indexed subject,
        address indexed signer,
        uint256 score,
        uint256 humanity,
        uint8 tier,
        bool verifiedHuman,
        uint256 expiresAt,
        uint256 nonce
    );

    /// @notice The attestation has expired.
    error AttestationExpired(uint256 expiresAt);
    /// @notice The attestation is of a time to come.
    error AttestationFromFuture(uint256 issuedAt);
    /// @notice The attestation lives longer than `MAX_LIFETIME`.
    error LifetimeTooLong(uint256 issuedAt, uint256 expiresAt);
    /// @notice This attestation, or a newer one of the subject, was accepted before.
    error NonceUsed(uint256 nonce, uint256 lastNonce);
    /// @notice The nonce is of a time to come; `maxNonce` is the greatest accepted now.
    error NonceFromFuture(uint256 nonce, uint256 maxNonce);
    /// @notice The attestation is about somebody else than the caller.
    error NotTheSubject(address subject, address caller);
    /// @notice The signature is of an address that is no signer, or of other data.
    error SignerUnknown(address signer);
    /// @notice The signer was added too short a time ago.
    error SignerNotYetActive(address signer, uint256 activeFrom);
    /// @notice The signer was revoked.
    error SignerIsRevoked(address signer);
    /// @notice The signer is there already.
    error SignerAlreadyAdded(address signer);
    /// @notice The ownership transfer was started too short a time ago.
    error OwnershipNotYetTransferable(uint256 ownershipFrom);
    /// @notice The contract always has an owner, who can revoke a stolen signer.
    error OwnershipNotRenounceable();

    /// @param owner Who adds and revokes signers.
    /// @param signer The first signer, accepted at once: `attestation.signer` in the service's
    /// description of itself.
    constructor(address owner, address signer) EIP712("Firn Score", "1") Ownable(owner) {
        _addSigner(signer, block.timestamp);
    }

    /// @notice Accepts a score of the caller: once, and none that is older than the last.
    /// @return signer Who has signed it.
    function accept(ScoreAttestation calldata attestation, bytes calldata signature)
        public
        returns (address signer)
    {
        address caller = _msgSender();
        if (attestation.subject != caller) revert NotTheSubject(attestation.subject, caller);
        signer = verify(attestation, signature);
        lastNonce[caller] = attestation.nonce;
        emit ScoreAccepted(
            caller,
            signer,
            attestation.score,
            attestation.humanity,
            attestation.tier,
            attestation.verifiedHuman,
            attestation.expiresAt,
            attestation.nonce
        );
    }

    /// @notice Reverts unless the attestation could be accepted now from its subject. A signature
    /// in its second form (s in the upper half of the order) is refused, as EIP-2 has it.
    /// @return signer Who has signed it.
    function verify(ScoreAttestation calldata attestation, bytes calldata signature)
        public
        view
        returns (address signer)
    {
        if (attestation.expiresAt <= block.timestamp) {
            revert AttestationExpired(attestation.expiresAt);
        }
        if (attestation.issuedAt > block.timestamp + CLOCK_SKEW) {
            revert AttestationFromFuture(attestation.issuedAt);
        }
        if (attestation.expiresAt > attestation.issuedAt + MAX_LIFETIME) {
            revert LifetimeTooLong(attestation.issuedAt, attestation.expiresAt);
        }
        uint256 last = lastNonce[attestation.subject];
        if (attestation.nonce <= last) revert NonceUsed(attestation.nonce, last);
        uint256 maxNonce = (block.timestamp + CLOCK_SKEW) * NONCES_PER_SECOND;
        if (attestation.nonce > maxNonce) revert NonceFromFuture(attestation.nonce, maxNonce);
        signer = ECDSA.recover(digestOf(attestation), signature);
        uint256 from = activeFrom[signer];
        if (from == 0) revert SignerUnknown(signer);
        if (from == REVOKED) revert SignerIsRevoked(signer);
        if (from > block.timestamp) revert SignerNotYetActive(signer, from);
    }

    /// @notice Returns the EIP-712 hash of an attestation: what is signed.
    function digestOf(ScoreAttestation calldata attestation) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(SCORE_ATTESTATION_TYPEHASH, attestation)));
    }

    /// @notice Adds a signer, whose signatures are accepted after `SIGNER_DELAY`.
    function addSigner(address signer) external onlyOwner {
        _addSigner(signer, block.timestamp + SIGNER_DELAY);
    }

    /// @notice Revokes a signer at once and for good, also one that was never added.
    function revokeSigner(address signer) external onlyOwner {
        activeFrom[signer] = REVOKED;
        emit SignerRevoked(signer);
    }

    /// @notice Starts a transfer of the ownership, or replaces the pending one. The new owner can
    /// accept it after `OWNER_DELAY`. The zero address cancels it.
    function transferOwnership(address newOwner) public override {
        super.transferOwnership(newOwner);
        ownershipFrom = newOwner == address(0) ? 0 : block.timestamp + OWNER_DELAY;
    }

    /// @notice Cancels the pending transfer of the ownership.
    function cancelOwnershipTransfer() external {
        transferOwnership(address(0));
    }

    /// @notice Accepts the ownership. Only the pending owner can, after `OWNER_DELAY`.
    function acceptOwnership() public override {
        uint256 from = ownershipFrom;
        if (block.timestamp < from) revert OwnershipNotYetTransferable(from);
        super.acceptOwnership();
        delete ownershipFrom;
    }

    /// @notice Reverts always.
    function renounceOwnership() public pure override {
        revert OwnershipNotRenounceable();
    }

    function _addSigner(address signer, uint256 from) private {
        uint256 held = activeFrom[signer];
        if (held == REVOKED) revert SignerIsRevoked(signer);
        if (held != 0) revert SignerAlreadyAdded(signer);
        activeFrom[signer] = from;
        emit SignerAdded(signer, from);
    }
}
