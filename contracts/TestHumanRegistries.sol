// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Stand-ins of the registries of unique humans, for tests: what they answer is set by anybody.
/// @dev One contract answers for all: a test puts its code at the address of each registry.
contract TestHumanRegistries {
    struct Attestation {
        bytes32 uid;
        bytes32 schema;
        uint64 time;
        uint64 expirationTime;
        uint64 revocationTime;
        bytes32 refUID;
        address recipient;
        address attester;
        bool revocable;
        bytes data;
    }

    struct SchemaRecord {
        bytes32 uid;
        address resolver;
        bool revocable;
        string schema;
    }

    struct CachedScore {
        uint32 score;
        uint64 time;
        uint64 expirationTime;
    }

    error AttestationNotFound();
    error AttestationExpired(uint64 expirationTime);

    uint256 public constant verificationLength = 14_515_200;
    uint64 public constant maxScoreAge = 7_776_000;
    uint256 public constant threshold = 200_000;

    mapping(address => uint256) public addressVerifiedUntil;
    mapping(address => mapping(bytes32 => bytes32)) private uids;
    mapping(bytes32 => Attestation) private attestations;
    mapping(address => CachedScore) private scores;

    function setVerifiedUntil(address account, uint256 until) external {
        addressVerifiedUntil[account] = until;
    }

    function setUid(address recipient, bytes32 schema, bytes32 uid) external {
        uids[recipient][schema] = uid;
    }

    function setAttestation(Attestation calldata attestation) external {
        attestations[attestation.uid] = attestation;
    }

    function setScore(address user, CachedScore calldata score) external {
        scores[user] = score;
    }

    function getAttestationUid(address recipient, bytes32 schema) external view returns (bytes32) {
        return uids[recipient][schema];
    }

    function getAttestation(bytes32 uid) external view returns (Attestation memory) {
        return attestations[uid];
    }

    function getSchemaRegistry() external pure returns (address) {
        return 0x4200000000000000000000000000000000000020;
    }

    /// @dev Every schema is registered.
    function getSchema(bytes32 uid) external pure returns (SchemaRecord memory) {
        return SchemaRecord(uid, address(0), true, "bool verifiedAccount");
    }

    function gitcoinResolver() external view returns (address) {
        return address(this);
    }

    function getCachedScore(address user) external view returns (CachedScore memory) {
        return scores[user];
    }

    function getScore(address user) external view returns (uint256) {
        CachedScore memory score = scores[user];
        if (score.time == 0) revert AttestationNotFound();
        uint64 end = score.expirationTime > 0 ? score.expirationTime : score.time + maxScoreAge;
        if (block.timestamp >= end) revert AttestationExpired(end);
        return score.score;
    }
}
